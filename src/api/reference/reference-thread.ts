import { answerTasks } from '../../lib/compute-thread.ts';
import { buildReference } from './build-reference.ts';

answerTasks(buildReference);
