import { answerTasks } from '../lib/compute-thread.ts';
import { type AnalyseTask, analyseTexts, type TextFindings } from './analyse-texts.ts';

answerTasks((task: AnalyseTask): readonly TextFindings[] => analyseTexts(task));
