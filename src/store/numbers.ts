import { and, desc, eq, getTableColumns, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { uuidv7 } from '../lib/ids.ts';
import type { CarrierCredentials, CarrierName } from '../ports/carrier.ts';
import type { Db } from './db.ts';
import { NameTakenError, NotFoundError, VersionConflictError } from './errors.ts';
import { listed, type Narrowing } from './listed.ts';
import { type Page, type PageRequest, toPage } from './page.ts';
import { numbers } from './schema/numbers.ts';
import { sealerOf } from './sealing.ts';

type Row = typeof numbers.$inferSelect;

/** A number without its credentials; see {@link findNumberCredentials}. */
export type NumberRecord = Omit<Row, 'credentials'>;

interface One {
  readonly teamId: string;
  readonly id: string;
}

const { credentials: _credentials, ...shown } = getTableColumns(numbers);

const own = ({ teamId, id }: One) => and(eq(numbers.teamId, teamId), eq(numbers.id, id));

export async function createNumber(
  db: Db,
  params: Pick<Row, 'teamId' | 'number' | 'provider' | 'label'> & {
    readonly carrierNumberId?: string | undefined;
    readonly credentials?: CarrierCredentials[CarrierName] | undefined;
  },
): Promise<NumberRecord> {
  const { credentials, ...rest } = params;
  const now = new Date();
  const [number] = await db
    .insert(numbers)
    .values({
      id: uuidv7(now.getTime()),
      ...rest,
      credentials: credentials
        ? sealerOf(db).seal(JSON.stringify(credentials), params.teamId)
        : null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: numbers.number })
    .returning(shown);
  if (!number) throw new NameTakenError('number', params.number);
  return number;
}

export async function findNumber(db: Db, params: One): Promise<NumberRecord | undefined> {
  const [number] = await db.select(shown).from(numbers).where(own(params));
  return number;
}

export async function getNumber(db: Db, params: One): Promise<NumberRecord> {
  const number = await findNumber(db, params);
  if (!number) throw new NotFoundError('number', params.id);
  return number;
}

/** Finds a number for an incoming call or text message; `number` is in E.164 form. */
export async function findNumberOfAnyTeam(
  db: Db,
  params: { readonly number: string },
): Promise<NumberRecord | undefined> {
  const [number] = await db.select(shown).from(numbers).where(eq(numbers.number, params.number));
  return number;
}

/** Newest first. */
export async function listNumbers(
  db: Db,
  params: {
    readonly teamId: string;
    readonly label?: string | undefined;
    readonly assistantId?: string | undefined;
  } & PageRequest &
    Narrowing,
): Promise<Page<NumberRecord>> {
  const { label, assistantId, limit } = params;
  const { number, label: labels, provider } = numbers;
  const assistantName = sql`(select config ->> 'name' from assistants where assistants.id = ${numbers.assistantId})`;
  const query = db
    .select(shown)
    .from(numbers)
    .where(
      and(
        listed(numbers, params, [number, labels, provider, assistantName]),
        label === undefined ? undefined : eq(numbers.label, label),
        assistantId === undefined ? undefined : eq(numbers.assistantId, assistantId),
      ),
    )
    .orderBy(desc(numbers.id));
  return toPage(await (limit === undefined ? query : query.limit(limit + 1)), limit);
}

/** The numbers attached to an assistant. */
export async function listNumbersOfAssistant(
  db: Db,
  params: { readonly assistantId: string },
): Promise<readonly NumberRecord[]> {
  return db
    .select(shown)
    .from(numbers)
    .where(eq(numbers.assistantId, params.assistantId))
    .orderBy(numbers.id);
}

/** The number's own credentials, unsealed; undefined if it uses the service's account. */
export async function findNumberCredentials(
  db: Db,
  params: One,
): Promise<CarrierCredentials[CarrierName] | undefined> {
  const [row] = await db.select({ sealed: numbers.credentials }).from(numbers).where(own(params));
  return row?.sealed ? openCredentials(db, params.teamId, row.sealed) : undefined;
}

/** The credentials of the team's newest number at a carrier that has its own. */
export async function findTeamCredentials(
  db: Db,
  params: { readonly teamId: string; readonly provider: CarrierName },
): Promise<CarrierCredentials[CarrierName] | undefined> {
  const [row] = await db
    .select({ sealed: numbers.credentials })
    .from(numbers)
    .where(
      and(
        eq(numbers.teamId, params.teamId),
        eq(numbers.provider, params.provider),
        isNotNull(numbers.credentials),
      ),
    )
    .orderBy(desc(numbers.id))
    .limit(1);
  return row?.sealed ? openCredentials(db, params.teamId, row.sealed) : undefined;
}

/** The credentials of all the team's numbers at a carrier that have their own, oldest first. */
export async function listTeamCredentials(
  db: Db,
  { teamId, provider }: { readonly teamId: string; readonly provider: CarrierName },
): Promise<readonly CarrierCredentials[CarrierName][]> {
  const rows = await db
    .select({ sealed: numbers.credentials })
    .from(numbers)
    .where(
      and(
        eq(numbers.teamId, teamId),
        eq(numbers.provider, provider),
        isNotNull(numbers.credentials),
      ),
    )
    .orderBy(numbers.id);
  return rows.flatMap(({ sealed }) => (sealed ? [openCredentials(db, teamId, sealed)] : []));
}

function openCredentials(db: Db, teamId: string, sealed: string) {
  return JSON.parse(sealerOf(db).open(sealed, teamId)) as CarrierCredentials[CarrierName];
}

/** Changes the given fields. Throws VersionConflictError if the version is no longer current. */
export async function updateNumber(
  db: Db,
  params: One & {
    readonly change: Partial<
      Pick<Row, 'assistantId' | 'assistantVersion' | 'inboundEnabled' | 'outboundEnabled'>
    >;
    readonly expectedVersion: number;
  },
): Promise<NumberRecord> {
  const { change, expectedVersion } = params;
  const [number] = await db
    .update(numbers)
    .set({ ...change, version: sql`${numbers.version} + 1`, updatedAt: new Date() })
    .where(and(own(params), eq(numbers.version, expectedVersion)))
    .returning(shown);
  if (number) return number;
  const current = await getNumber(db, params);
  throw new VersionConflictError('number', params.id, current.version);
}

/** Stores the number's id at the carrier. */
export async function setCarrierNumberId(
  db: Db,
  params: One & { readonly carrierNumberId: string },
): Promise<NumberRecord> {
  const [number] = await db
    .update(numbers)
    .set({ carrierNumberId: params.carrierNumberId })
    .where(own(params))
    .returning(shown);
  if (!number) throw new NotFoundError('number', params.id);
  return number;
}

/** How often the same is noted again, so that a flood of requests does not become one of writes. */
const NOTED_EVERY_MS = 60_000;

/** Keeps when a request for the number last came from its carrier, or was refused. */
export async function noteRequest(
  db: Db,
  {
    id,
    what,
    at,
  }: { readonly id: string; readonly what: 'arrivedAt' | 'refusedAt'; readonly at: Date },
): Promise<void> {
  const column = numbers[what];
  const before = new Date(at.getTime() - NOTED_EVERY_MS);
  await db
    .update(numbers)
    .set({ [what]: at })
    .where(and(eq(numbers.id, id), or(isNull(column), lt(column, before))));
}

export async function deleteNumber(db: Db, params: One): Promise<void> {
  const deleted = await db.delete(numbers).where(own(params)).returning({ id: numbers.id });
  if (deleted.length === 0) throw new NotFoundError('number', params.id);
}

/** The numbers of all teams at a carrier, for the service's own maintenance. */
export async function listNumbersOfProvider(
  db: Db,
  params: { readonly provider: CarrierName },
): Promise<readonly NumberRecord[]> {
  return db
    .select(shown)
    .from(numbers)
    .where(eq(numbers.provider, params.provider))
    .orderBy(numbers.id);
}
