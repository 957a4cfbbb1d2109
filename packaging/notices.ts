import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSIDE, type Inside } from './inside.ts';
import { type ShippedPackage, shippedPackages } from './shipped.ts';

const ROOT = join(import.meta.dirname, '..');
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|copyright)/i;
const RULE = '='.repeat(100);

const INTRODUCTION = `Parley uses the software below. The first part names what is inside of packages, such as of the embedded database
and the built-in speech; the second one every package that Parley installs or has built in, each with its licence. Parley
itself is licensed under Apache-2.0, see LICENSE.
`;

/** The text of THIRD-PARTY-NOTICES, made from what is installed here. Throws if terms cannot be found. */
export function thirdPartyNotices(): string {
  const vad = readFileSync(join(ROOT, 'src/providers/vad/silero-vad-v5.LICENSE'), 'utf8');
  const packages = shippedPackages().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    INTRODUCTION,
    section('Silero VAD 5 (the model of voice activity)', 'MIT', vad),
    ...INSIDE.map((part) =>
      section(`${part.name} (in ${part.carrier})`, part.licence, termsInside(part)),
    ),
    ...packages.map((one) => section(`${one.name} ${one.version}`, one.licence, termsOf(one))),
  ].join('\n');
}

const section = (title: string, licence: string, text: string) =>
  `${RULE}\n${title}\nLicence: ${licence}\n\n${text.trim()}\n`;

function termsInside({ carrier, text }: Inside): string {
  if ('said' in text) return text.said;
  const path =
    'ours' in text
      ? join(import.meta.dirname, 'licences', text.ours)
      : join(ROOT, 'node_modules', carrier, text.carried);
  return readFileSync(path, 'utf8');
}

/** The package's own words, or the terms that its manifest names. */
function termsOf({ path, name, licence }: ShippedPackage): string {
  const folder = join(ROOT, path);
  if (!existsSync(folder))
    return `It is installed on other machines than the one that made this file, under ${licence}.`;
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const texts = files
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    .filter((text) => text !== '');
  if (texts.length > 0) return texts.join('\n\n');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly author?: string | { readonly name: string };
  };
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const terms = licence === 'Apache-2.0' ? APACHE : STANDARD[licence];
  if (!terms) throw new Error(`${name} has no licence file, and ${licence} is not known here`);
  return `The package has no licence file. Copyright (c) ${author ?? `the authors of ${name}`}\n\n${terms}`;
}

const APACHE = readFileSync(join(ROOT, 'LICENSE'), 'utf8');

const DISCLAIMER_MIT = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The terms of licences by their SPDX name. */
const STANDARD: Readonly<Record<string, string>> = {
  Unlicense: `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this software, either in source code form or
as a compiled binary, for any purpose, commercial or non-commercial, and by any means. For more information, please refer
to <https://unlicense.org/>

${DISCLAIMER_MIT}`,
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

${DISCLAIMER_MIT}`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`,
};
