// Parameters come as one JSON object on stdin; what is printed is the result.
import { readFileSync } from "node:fs";

const { text, max_length: maxLength = 60 } = JSON.parse(readFileSync(0, "utf8"));

const words = text
  .replaceAll("ß", "ss")
  .normalize("NFKD")
  .replace(/\p{Mark}/gu, "")
  .toLowerCase()
  .split(/[^\p{Letter}\p{Number}]+/u)
  .filter(Boolean);

let slug = "";
for (const word of words) {
  const longer = slug ? `${slug}-${word}` : word;
  if ([...longer].length > maxLength) break;
  slug = longer;
}
if (!slug && words.length) slug = [...words[0]].slice(0, maxLength).join("");

console.log(JSON.stringify({ slug }));
