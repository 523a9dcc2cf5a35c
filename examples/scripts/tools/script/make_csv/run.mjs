// What a script writes into the folder out is handed to the user as a file.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { rows, name } = JSON.parse(readFileSync(0, 'utf8'));
const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];

const cell = (value) => {
  const text = value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];

mkdirSync('out', { recursive: true });
writeFileSync(`out/${name}.csv`, lines.map((line) => line.map(cell).join(',') + '\r\n').join(''));
console.error(`${rows.length} rows, ${columns.length} columns`); // for the log
console.log(`Wrote ${name}.csv: ${rows.length} rows, columns ${columns.join(', ')}.`);
