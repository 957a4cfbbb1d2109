import { z } from 'zod';
import { TESTS_NOT_PASSED } from './assistant-version.ts';
import { NOT_CALLABLE, type NotCallableCode } from './do-not-call.ts';
import { type Area, INTERNAL_ERROR, type ProblemKind } from './errors.ts';
import { LIMIT_SENTENCES, type LimitCode } from './team.ts';

const MessageSchema = z.strictObject({ message: z.string() }).meta({ title: 'Error' });

const InternalErrorSchema = z
  .strictObject({ message: z.string(), error: z.literal(INTERNAL_ERROR) })
  .meta({ title: 'InternalError' });

const OverLimitSchema = z
  .strictObject({
    message: z.string(),
    error: z.enum(Object.keys(LIMIT_SENTENCES) as LimitCode[]),
  })
  .meta({ title: 'OverLimitError' });

const OverLimitDetailSchema = z
  .strictObject({ detail: OverLimitSchema })
  .meta({ title: 'DetailOverLimitError' });

const NotCallableSchema = z
  .strictObject({
    message: z.string(),
    error: z.enum(Object.keys(NOT_CALLABLE) as NotCallableCode[]),
  })
  .meta({ title: 'NotCallableError' });

const UntestedSchema = z
  .strictObject({ message: z.string(), error: z.literal(TESTS_NOT_PASSED) })
  .meta({ title: 'UntestedError' });

const RefusedSchema = z
  .strictObject({ message: z.string(), data: z.strictObject({ success: z.literal(false) }) })
  .meta({ title: 'ControlRefused' });

const DetailSchema = z.strictObject({ detail: z.string() }).meta({ title: 'DetailError' });

const InvalidDetailSchema = z
  .strictObject({
    detail: z.strictObject({
      message: z.string(),
      errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    }),
  })
  .meta({ title: 'DetailValidationError' });

const AttachedDetailSchema = z
  .strictObject({
    detail: z.strictObject({
      message: z.string(),
      attachedKnowledgeBases: z.array(z.strictObject({ id: z.string(), title: z.string() })),
    }),
  })
  .meta({ title: 'FileAttachedError' });

const PublicErrorSchema = z
  .strictObject({
    message: z.string(),
    error: z.string().describe('What was refused, for programs.'),
  })
  .meta({ title: 'PublicError' });

/** The schema of an error's body. */
export function errorBodySchema(kind: ProblemKind, area: Area): z.ZodType {
  if (area === 'kb') {
    if (kind === 'attached') return AttachedDetailSchema;
    if (kind === 'over-limit') return OverLimitDetailSchema;
    return kind === 'invalid' ? InvalidDetailSchema : DetailSchema;
  }
  if (kind === 'internal') return InternalErrorSchema;
  if (area === 'public') return PublicErrorSchema;
  if (kind === 'over-limit') return OverLimitSchema;
  if (kind === 'not-callable') return NotCallableSchema;
  if (kind === 'untested') return UntestedSchema;
  return kind === 'not-live' ? RefusedSchema : MessageSchema;
}
