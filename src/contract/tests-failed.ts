import { z } from 'zod';
import { LINE_CONDITION_NAMES, TEST_STATUSES, TestSummarySchema } from './assistant-test-result.ts';
import { WebhookAssistantSchema } from './webhooks.ts';

/** What the server of an assistant is told when tests that passed fail at night. */
export const TestsFailedMessageSchema = z
  .strictObject({
    type: z.literal('tests-failed'),
    timestamp: z.int().describe('When the run ended, Unix time in milliseconds.'),
    assistant: WebhookAssistantSchema,
    assistantVersion: z.int().optional().describe('The version that was tested.'),
    suite: z.strictObject({ id: z.string(), title: z.string() }),
    runId: z.string(),
    summary: TestSummarySchema,
    tests: z
      .array(
        z.strictObject({
          name: z.string(),
          condition: z
            .enum(LINE_CONDITION_NAMES)
            .optional()
            .describe('In which condition it was spoken; absent: it was not.'),
          status: z.enum(TEST_STATUSES),
          reasons: z.array(z.string()).describe('What was not as expected, and what was instead.'),
        }),
      )
      .describe('Those that passed in the nightly run before.'),
  })
  .meta({ title: 'TestsFailedMessage' });

export type TestsFailedMessage = z.output<typeof TestsFailedMessageSchema>;
