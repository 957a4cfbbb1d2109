import { answerTasks } from '../../lib/compute-thread.ts';
import { replayTask } from './replay-task.ts';

answerTasks(replayTask);
