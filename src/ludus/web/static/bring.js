// A record of one's own: a file or a text goes to the server, which says where it is shown.

const $ = (id) => document.getElementById(id);

async function bring(content) {
  $("record-complaint").textContent = "";
  const response = await fetch("/replay/records", { method: "POST", body: content });
  const answer = await response.json().catch(() => ({ error: "The server did not understand that." }));
  if (answer.to) location.assign(answer.to);
  else $("record-complaint").textContent = answer.error;
}

$("bring").addEventListener("submit", (event) => {
  event.preventDefault();
  const [file] = $("record-file").files;
  const text = $("record-text").value.trim();
  if (file || text) bring(file ?? text);
  else $("record-complaint").textContent = "Choose a file or paste a record.";
});
