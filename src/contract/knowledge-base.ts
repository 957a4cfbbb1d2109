import { z } from 'zod';
import { DateTimeSchema, IdSchema, text } from './atoms.ts';

const KnowledgeBaseStatusSchema = z.enum(['draft', 'created', 'queued', 'training', 'trained']);

const HttpUrlSchema = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s/?#]+[^\s]*$/, 'must be an absolute http(s) URL');

const UrlDocumentSchema = z.strictObject({
  type: z.literal('url'),
  payload: z.strictObject({
    urls_to_include: z
      .array(
        z.strictObject({
          url: HttpUrlSchema,
          subpaths_only: z.boolean().default(false),
          recursive: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(100),
    urls_to_exclude: z.array(HttpUrlSchema).max(100).default([]),
  }),
});

const FileReferenceSchema = z.strictObject({ id: IdSchema });

const DescriptionSchema = text(5000);
const RetrainMinutesSchema = z
  .int()
  .min(0)
  .max(525_600)
  .multipleOf(60, 'must be 0 or a multiple of 60')
  .describe('0: never retrained by itself; else a multiple of 60.');

/** The request that creates a knowledge base. */
export const KnowledgeBaseConfigSchema = z
  .strictObject({
    title: text(200).regex(/\S/, 'must not be blank'),
    description: DescriptionSchema.default(''),
    files: z
      .array(FileReferenceSchema)
      .max(1000)
      .refine((files) => new Set(files.map(({ id }) => id)).size === files.length, {
        error: 'must not hold an id twice',
      })
      .default([]),
    docs: z.array(UrlDocumentSchema).max(100).default([]),
    retrain_frequency_minutes: RetrainMinutesSchema.default(0),
  })
  .meta({ title: 'KnowledgeBaseInput' });

/**
 * The request that replaces a knowledge base: `files` and `docs` are the full sets, absent optional fields stay
 * unchanged.
 */
export const KnowledgeBaseReplacementSchema = KnowledgeBaseConfigSchema.extend({
  description: DescriptionSchema.optional(),
  retrain_frequency_minutes: RetrainMinutesSchema.optional(),
}).meta({ title: 'KnowledgeBaseReplacement' });

export const KnowledgeBaseSchema = z
  .strictObject({
    id: IdSchema,
    title: z.string(),
    description: z.string(),
    status: KnowledgeBaseStatusSchema,
    statusReason: z.string().optional().describe('Why the last training failed.'),
    files: z.array(FileReferenceSchema),
    docs: z.array(UrlDocumentSchema),
    retrain_frequency_minutes: z.int(),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  })
  .meta({ title: 'KnowledgeBase' });

export const KnowledgeBaseStatusReportSchema = z
  .strictObject({
    id: IdSchema,
    status: KnowledgeBaseStatusSchema,
    description: z.string(),
    title: z.string(),
    statusReason: z.string().optional(),
  })
  .meta({ title: 'KnowledgeBaseStatus' });

export const KnowledgeSearchSchema = z
  .strictObject({
    query: text(2000).regex(/\S/, 'must not be blank'),
    limit: z.int().min(1).max(50).default(5),
  })
  .meta({ title: 'KnowledgeSearch' });

/** From this score on, a hit counts as an answer. */
export const ANSWER_SCORE = 0.5;

const SourceTypeSchema = z.enum(['faq', 'file', 'url']);

/** Longer questions are cut when they are kept. */
export const MAX_QUESTION_CHARS = 1000;
/** Wordings of one question that are shown, and that can be dismissed at once. */
export const MAX_WORDINGS = 100;

/** What an assistant looked up in a call, and what it found. */
export const KnowledgeLookupSchema = z
  .strictObject({
    atMs: z.number().describe('Milliseconds since the start of the call.'),
    question: z.string(),
    answered: z.boolean().describe(`True if a source has a score of ${ANSWER_SCORE} or more.`),
    sources: z.array(
      z.strictObject({
        type: SourceTypeSchema,
        id: z.string().describe('Id of the FAQ entry or file; for a page, its URL.'),
        document: z
          .string()
          .describe('Question of the FAQ entry, name of the file or title of the page.'),
        heading: z.string().optional().describe('Headings above the passage, highest first.'),
        page: z.int().optional(),
        score: z.number().min(0).max(1),
      }),
    ),
  })
  .meta({ title: 'KnowledgeLookup' });

const UnansweredSchema = z
  .strictObject({
    question: z.string().describe('The wording asked most often.'),
    count: z.int().describe('How often it was asked, in all its wordings.'),
    lastAskedAt: DateTimeSchema,
    lastCallId: IdSchema,
    wordings: z
      .array(z.string())
      .describe(`Its wordings, the most frequent first; ${MAX_WORDINGS} at most.`),
  })
  .meta({ title: 'UnansweredQuestion' });

export const KnowledgeCoverageSchema = z
  .strictObject({
    asked: z.int().describe('Questions looked up in calls.'),
    answered: z.int().describe('Those to which an answer was found at that time.'),
    unanswered: z
      .array(UnansweredSchema)
      .describe(
        'Questions that still have no answer, those with the same terms as one; the most frequent first.',
      ),
  })
  .meta({ title: 'KnowledgeCoverage' });

export const DismissedQuestionsSchema = z
  .strictObject({ questions: z.array(text(MAX_QUESTION_CHARS)).min(1).max(MAX_WORDINGS) })
  .meta({ title: 'DismissedQuestions' });

export const KnowledgeHitSchema = z
  .strictObject({
    text: z.string().describe('What answers the query.'),
    score: z
      .number()
      .min(0)
      .max(1)
      .describe(`How likely it answers; from ${ANSWER_SCORE} on it counts as an answer.`),
    source: z.strictObject({
      type: SourceTypeSchema,
      id: z.string().describe('Id of the FAQ entry or file; for a page, its URL.'),
      title: z
        .string()
        .describe('Question of the FAQ entry, name of the file or title of the page.'),
      headings: z
        .array(z.string())
        .optional()
        .describe('Headings above the passage, highest first.'),
      page: z.int().optional().describe('Page number, if the document has pages.'),
    }),
  })
  .meta({ title: 'KnowledgeHit' });

export type KnowledgeBaseStatus = z.output<typeof KnowledgeBaseStatusSchema>;
export type KnowledgeLookup = z.output<typeof KnowledgeLookupSchema>;
export type KnowledgeBase = z.output<typeof KnowledgeBaseSchema>;
export type KnowledgeBaseConfig = z.output<typeof KnowledgeBaseConfigSchema>;
export type KnowledgeBaseReplacement = z.output<typeof KnowledgeBaseReplacementSchema>;
