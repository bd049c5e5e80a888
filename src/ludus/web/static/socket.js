// A websocket that comes back by itself: the page sees messages, and whether the server is there.

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 8000;

// onMessage gets each message as an object; onState gets "connecting", "open" or "lost".
// A message {"is": "gone"} ends it: what the page shows is no longer there.
export function connect(path, { onMessage, onState = () => {} }) {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  let socket = null;
  let pauseMs = FIRST_PAUSE_MS;
  let timer = null;
  let isClosed = false;

  function open() {
    timer = null;
    onState("connecting");
    socket = new WebSocket(address);
    socket.addEventListener("open", () => onState("open"));
    socket.addEventListener("message", (event) => {
      pauseMs = FIRST_PAUSE_MS;
      const message = JSON.parse(event.data);
      if (message.is === "gone") close();
      onMessage(message);
    });
    socket.addEventListener("close", lost);
  }

  function lost() {
    if (isClosed) return;
    onState("lost");
    timer = setTimeout(open, pauseMs * (0.75 + Math.random() / 2));
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }

  function hurry() {
    if (timer === null || document.hidden) return;
    clearTimeout(timer);
    open();
  }

  function close() {
    isClosed = true;
    clearTimeout(timer);
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    socket.close();
  }

  function send(message) {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  open();
  return { send, close };
}
