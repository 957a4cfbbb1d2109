import { restore } from '../service/backup.ts';
import { runDataCommand } from './data-command.ts';

await runDataCommand('restore', {
  help: `Fills the database and the folders of this configuration from a backup. The service must not run.

Usage: {command} <folder of the backup>

The database must be empty. What was in a bucket goes to that of STORAGE_URL, or to the disk if that names none.
Calls that were deleted after the backup come back, unless the folder "deleted-calls" of the former data is in DATA_DIR
(or in the folder of STORAGE_URL) at the next start: copy it there first.
`,
  async run(config, { folder, signal }) {
    const { calls, files, bucket } = await restore(config, { folder, signal });
    const rest = bucket === 'left out' ? '; the bucket was not in the backup' : '';
    return `restored ${calls} calls and ${files} files${rest}`;
  },
});
