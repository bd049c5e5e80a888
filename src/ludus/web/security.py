"""Who may speak to the server: its own pages and nobody else's; asked of every request, before anything reads it."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from ludus.errors import LudusError
from ludus.web.pages import message_page
from ludus.web.settings import LOOPBACK_NAMES, SETTINGS, Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": with that, browsers hide the origin of our own forms too.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
SAFE_METHODS = ("GET", "HEAD")
SOCKETS = web.AppKey("sockets", Counter[str])


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """On every answer, errors too."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what is not meant for this server, does not come from its own pages, or lacks its token."""
    settings = request.app[SETTINGS]
    if not is_own_host(request.host, settings):
        return message_page("Not here", f"This server does not answer to the name {request.host[:80]!r}.", status=421)
    if is_loaded_from_elsewhere(request) or (needs_origin(request) and not is_same_origin(request)):
        return message_page("Refused", "This request does not come from a page of this server.", status=403)
    if settings.token is not None:
        given = request.query.get("token")
        if given is not None and request.method in SAFE_METHODS and same(given, settings.token):
            return _with_cookie(request, settings)
        if not same(request.cookies.get(cookie_name(request), ""), settings.token):
            sentence = "This server needs its token: open the address that `ludus serve` printed."
            return message_page("A token is needed", sentence, status=401)
    return await handler(request)


@web.middleware
async def sentences(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A mistake of a person, or an address that leads nowhere, as a page with one sentence."""
    try:
        return await handler(request)
    except LudusError as error:
        sentence = without_place(str(error), request.app[SETTINGS])
        if wants_json(request):  # for a script of ours, which shows the sentence; nothing failed
            return web.json_response({"error": sentence})
        return message_page("That does not work", sentence, status=400)
    except web.HTTPRequestEntityTooLarge:
        return message_page("Too much", "That is more than this server reads at once.", status=413)
    except web.HTTPNotFound:
        return message_page("Nothing here", "There is no such page; it may be gone.", status=404)
    except web.HTTPMethodNotAllowed:
        return message_page("Not like this", "This address cannot be used that way.", status=405)


def is_own_host(host: str, settings: Settings) -> bool:
    """Whether a request was meant for us: a foreign name that resolves to this machine is somebody's trick."""
    name = _name_of(host)
    if name is None:
        return False
    if name in (*LOOPBACK_NAMES, settings.host.lower()) or (settings.is_local and _is_loopback_number(name)):
        return True
    if settings.host not in ("0.0.0.0", "::"):  # noqa: S104  # a comparison
        return False
    return _is_number(name) or name in (socket.gethostname().lower(), socket.getfqdn().lower())


def needs_origin(request: web.Request) -> bool:
    is_socket = request.headers.get("Upgrade", "").lower() == "websocket"
    return is_socket or request.method not in SAFE_METHODS


def is_loaded_from_elsewhere(request: web.Request) -> bool:
    """Whether a page from elsewhere loads this as a part of itself; links from elsewhere are welcome."""
    is_foreign = request.headers.get("Sec-Fetch-Site", "none") in ("cross-site", "same-site")
    return is_foreign and request.headers.get("Sec-Fetch-Dest") != "document"


def is_same_origin(request: web.Request) -> bool:
    """Whether the page that sends this came from this server; browsers always say, and cannot be made to lie."""
    origin = request.headers.get("Origin")
    if origin is None or request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == request.host.lower()


async def form_of(request: web.Request) -> dict[str, str]:
    """The texts of a form; what is no form is a LudusError."""
    try:
        return {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    except (ValueError, LookupError):
        raise LudusError("this form cannot be read") from None


def without_place(sentence: str, settings: Settings) -> str:
    """The sentence without the place of the served folder on this machine."""
    if settings.folder is None:
        return sentence
    root = settings.folder.resolve()
    return sentence.replace(f"{root}/", "").replace(str(root), root.name)


def wants_json(request: web.Request) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def same(given: str, secret: str) -> bool:
    """Whether both are the same, in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), secret.encode())


def cookie_name(request: web.Request) -> str:
    """Browsers share cookies among the ports of a machine."""
    _host, port, *_ = request.get_extra_info("sockname") or ("", 0)
    return f"ludus-{port}"


def client_of(request: web.Request) -> str:
    """Whom limits are counted for: everybody at one address."""
    return request.remote or "?"


@contextmanager
def socket_place(request: web.Request) -> Iterator[bool]:
    """One of the sockets that a client may hold open; False when there is none left."""
    sockets, limits, client = request.app[SOCKETS], request.app[SETTINGS].limits, client_of(request)
    if sockets[client] >= limits.sockets_per_client or sockets.total() >= limits.sockets:
        yield False
        return
    sockets[client] += 1
    try:
        yield True
    finally:
        sockets[client] -= 1
        if not sockets[client]:
            del sockets[client]


def _with_cookie(request: web.Request, settings: Settings) -> web.Response:
    """To the same address without the token in it."""
    assert settings.token is not None
    query = {name: value for name, value in request.query.items() if name != "token"}
    here = str(request.rel_url.with_query(query))
    response = web.Response(status=303, headers={"Location": f"/{here.lstrip('/')}"})  # two slashes begin a host
    response.set_cookie(
        cookie_name(request),
        settings.token,
        httponly=True,
        samesite="Lax",
        secure=request.secure,
        max_age=30 * 24 * 3600,
    )
    return response


def _name_of(host: str) -> str | None:
    """The name in a Host header, without its port."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback_number(name: str) -> bool:
    return _is_number(name) and ipaddress.ip_address(name).is_loopback
