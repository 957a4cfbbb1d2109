import { backUp } from '../service/backup.ts';
import { runDataCommand } from './data-command.ts';

await runDataCommand('backup', {
  help: `Writes all data to a folder: the database as it is at one instant, recordings, files and the key. The service may run.

Usage: {command} <new folder>

The folder holds everything that the service knows, and the key of its secrets unless that is in ENCRYPTION_KEY: keep it as
safe as the data. It fits every kind of database, and later releases.
`,
  async run(config, { folder, signal }) {
    const { calls, files, key } = await backUp(config, { folder, signal });
    const secret = key === 'included' ? 'the key' : 'no key: keep ENCRYPTION_KEY as well';
    return `${folder} has ${calls} calls, ${files} files and ${secret}`;
  },
});
