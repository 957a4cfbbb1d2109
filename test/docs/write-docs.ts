import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { failuresPage } from './failures-page.ts';

await writeFile(resolve(import.meta.dirname, '../../docs/failures.md'), failuresPage());
