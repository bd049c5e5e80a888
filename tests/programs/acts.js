// A program that does what it is told, for the tests of the sandbox.
const act = {
    memory() { const all = []; while (true) all.push(new Array(1e6).fill(1)); },
    socket() { require("net").createServer().listen(0); },
    process() { require("child_process").execSync("true"); },
};
require("readline").createInterface({ input: process.stdin }).on("line", (word) => {
    if (word.startsWith("read ")) require("fs").readFileSync(word.slice(5));
    if (word in act) act[word]();
    console.log(word);
});
