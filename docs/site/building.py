"""What MkDocs is told beyond mkdocs.yml: pages from outside docs/, formulas as MathML, colours of code."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File, Files
from pygments.formatters import HtmlFormatter

ROOT = Path(__file__).parent.parent.parent
RULES = {path: path.parent.name.replace("_", "-") for path in sorted(ROOT.glob("src/ludus/games/*/rules.md"))}
# Files that stand elsewhere in the repository, and where the site has them.
OUTSIDE = {
    "ARCHITECTURE.md": "explanation/architecture.md",
    **{path.relative_to(ROOT).as_posix(): f"games/rules/{name}.md" for path, name in RULES.items()},
}
TITLES = {f"games/rules/{name}.md": name for name in RULES.values()}

FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
INLINE_MATH = re.compile(r"(?<![\\$])\$([^$\n]+)\$")
LINK = re.compile(r"(\]\()([^)#\s:]+)")
PLACE = "\ufffc%d\ufffc"  # no text has this character


def on_files(files: Files, config: Any) -> Files:
    """Add what stands outside docs/, and the colours of code, light and dark."""
    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    light, dark = (HtmlFormatter(style=style).get_style_defs(".codehilite") for style in ("friendly", "monokai"))
    sheet = f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    files.append(File.generated(config, "site/code.css", content=sheet))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Markdown as Python-Markdown reads it; formulas are put aside, lest it takes their signs for its own."""
    where = page.file.src_uri
    page.formulas = []
    if where in TITLES:
        markdown = f"# Rules of {_title_of(TITLES[where])}\n\n{markdown}"
    markdown = LINK.sub(lambda link: link[1] + _target(link[2], where), markdown)
    markdown = FENCE.sub(lambda fence: _fenced(fence, page), markdown)
    ends = [(code.start(), code.end()) for code in CODE.finditer(markdown)]
    parts, at = [], 0
    for begin, end in [*ends, (len(markdown), len(markdown))]:
        parts.append(INLINE_MATH.sub(lambda found: _put_aside(page, found[1], "inline"), markdown[at:begin]))
        parts.append(markdown[begin:end])
        at = end
    return "".join(parts)


def on_page_content(html: str, page: Any, config: Any, files: Files) -> str:
    """The formulas where they belong."""
    for number, formula in enumerate(page.formulas):
        html = html.replace(PLACE % number, formula)
    return html


def on_post_page(output: str, page: Any, config: Any) -> str:
    """With the two style sheets that the theme switches between light and dark; our colours follow by themselves."""
    return output.replace("</head>", '<style id="hljs-light"></style><style id="hljs-dark"></style></head>', 1)


def _put_aside(page: Any, formula: str, display: str) -> str:
    page.formulas.append(convert(formula.strip(), display=display))
    return PLACE % (len(page.formulas) - 1)


def _fenced(fence: re.Match[str], page: Any) -> str:
    """A block of code without what only the tests read (`file=...`), or a formula of its own."""
    language = (fence["info"].split() or ["text"])[0]
    if language == "math":
        return _put_aside(page, fence["body"], "block")
    return f"```{language}\n{fence['body']}```"


def _target(link: str, page: str) -> str:
    """The link, or where the site has what it leads to."""
    meant = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), link))
    return posixpath.relpath(OUTSIDE[meant], posixpath.dirname(page)) if meant in OUTSIDE else link


def _title_of(game: str) -> str:
    return (ROOT / f"docs/games/{game}.md").read_text().splitlines()[0].removeprefix("# ")
