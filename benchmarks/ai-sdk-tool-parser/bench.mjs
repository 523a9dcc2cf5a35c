// Feeds @ai-sdk-tool/parser the answers in a folder, in chunks as small as helve
// got them, and writes a Markdown table.
//
// Its time for one call grows with the square of the call's size. An answer that
// would take its dialect beyond 25 seconds is left out, and the table says so.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hermesProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";

const most = 25_000; // ms for the answers of a dialect
const protocols = { hermes: hermesProtocol, "qwen3-coder": qwen3CoderProtocol };

const folder = process.argv[2];
const { tool, answers } = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"));
const tools = [{ type: "function", ...tool }];

// read gives the parser one chunk after another and says what came out.
async function read(dialect, chunks) {
  const out = { text: 0, calls: 0 };
  const parser = protocols[dialect]().createStreamParser({ tools });
  const consumed = (async () => {
    for await (const part of parser.readable) {
      if (part.type === "text-delta") out.text += part.delta.length;
      if (part.type === "tool-call") out.calls++;
    }
  })();
  const writer = parser.writable.getWriter();
  for (const delta of chunks) await writer.write({ type: "text-delta", id: "0", delta });
  await writer.write({ type: "finish", finishReason: "stop", usage: {} });
  await writer.close();
  await consumed;
  return out;
}

function cut(text, size) {
  const chunks = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}

const figure = (x) => (x < 100 ? x.toPrecision(3) : Math.round(x).toLocaleString("en"));

console.log(`Node ${process.version}, @ai-sdk-tool/parser ${JSON.parse(readFileSync(join(folder, "../package.json"), "utf8")).dependencies["@ai-sdk-tool/parser"]}.\n`);
console.log("| answer | helve, ms | @ai-sdk-tool/parser, ms | its MB/s | × helve |");
console.log("|---|--:|--:|--:|--:|");

for (const dialect of Object.keys(protocols)) { // so that the engine has compiled it
  const small = answers.find((a) => a.dialect === dialect && a.prose === 0);
  for (let i = 0; i < 20; i++) await read(dialect, cut(readFileSync(join(folder, small.file), "utf8"), small.chunk));
}

const spent = {}; // ms, of a dialect
const last = {}; // of a dialect's calls: size and time of the one before
for (const a of answers) {
  const row = `| ${a.dialect}, ${a.title} | ${figure(a.helve)} |`;
  const before = a.prose === 0 ? last[a.dialect] : undefined;
  const expected = before ? before.ms * (a.bytes / before.bytes) ** 2 : 2000;
  if ((spent[a.dialect] ?? 0) + expected > most) {
    console.log(`${row} not run: about ${Math.round(expected / 1000)} s | | |`);
    continue;
  }
  const chunks = cut(readFileSync(join(folder, a.file), "utf8"), a.chunk);
  let out, ms = Infinity, all = 0;
  for (let round = 0; round < 5 && all < 1500; round++) {
    const start = performance.now();
    out = await read(a.dialect, chunks);
    const took = performance.now() - start;
    ms = Math.min(ms, took);
    all += took;
  }
  spent[a.dialect] = (spent[a.dialect] ?? 0) + all;
  if (a.prose === 0) last[a.dialect] = { bytes: a.bytes, ms };
  const lost = out.calls === 1 ? "" : " (call lost)";
  console.log(`${row} ${figure(ms)}${lost} | ${figure(a.bytes / ms / 1000)} | ${figure(ms / a.helve)} |`);
}
