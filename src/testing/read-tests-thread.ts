import { answerTasks } from '../lib/compute-thread.ts';
import { type ParsedTests, parseTests } from './parse-tests.ts';

answerTasks((source: string): ParsedTests => parseTests(source));
