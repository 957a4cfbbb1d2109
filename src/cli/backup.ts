import { backUp } from '../service/backup.ts';
import { runDataCommand } from './data-command.ts';

await runDataCommand('backup', {
  help: `Writes all data to a folder: the database as it is at one instant, recordings, files and the key. The service may run.

Usage: {command} <new folder> [--without-bucket]

  --without-bucket  leaves out what is kept in the bucket of STORAGE_URL, for those who copy it by other means

The folder holds everything that the service knows, and the key of its secrets unless that is in ENCRYPTION_KEY: keep it as
safe as the data. It fits every kind of database, and later releases. One that broke off goes on when it is started again.
`,
  flags: ['without-bucket'],
  async run(config, { folder, signal, flags }) {
    const withBucket = !flags.has('without-bucket');
    const { calls, files, key, bucket } = await backUp(config, { folder, signal, withBucket });
    const secret = key === 'included' ? 'the key' : 'no key: keep ENCRYPTION_KEY as well';
    const rest = bucket === 'left out' ? '; the bucket is not in it' : '';
    return `${folder} has ${calls} calls, ${files} files and ${secret}${rest}`;
  },
});
