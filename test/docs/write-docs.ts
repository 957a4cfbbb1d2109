import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { conformancePage } from './conformance-page.ts';
import { failuresPage } from './failures-page.ts';

const docs = resolve(import.meta.dirname, '../../docs');
await writeFile(resolve(docs, 'failures.md'), failuresPage());
await writeFile(resolve(docs, 'conformance.md'), conformancePage());
