import type { FastifyRequest } from 'fastify';
import { refuseUnplayableSound } from '../../calls/background-sound.ts';
import { checkReferences } from '../../calls/check-references.ts';
import { refuseUntested } from '../../calls/refuse-untested.ts';
import type { AssistantConfig } from '../../contract/assistant.ts';
import { type AssistantVersion, diffVersions } from '../../contract/assistant-version.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import { applyMergePatch } from '../../contract/merge-patch.ts';
import { validate } from '../../contract/validation.ts';
import {
  createDraft,
  getVersion,
  listVersions,
  publishVersion,
  removeLabel,
  setLabel,
  type VersionAuthor,
  type VersionRecord,
} from '../../store/assistant-versions.ts';
import { listNumbersOfAssistant } from '../../store/numbers.ts';
import { getPublishGate, setPublishGate } from '../../store/publish-gates.ts';
import { hideServerSecrets } from '../../store/server-secrets.ts';
import { dataSchemaOf } from '../assistants/patch.ts';
import { presentAssistant } from '../assistants/present.ts';
import { withWarnings } from '../assistants/warnings.ts';
import { holderOf } from '../auth.ts';
import type { ApiDeps } from '../deps.ts';
import { linkNextPage } from '../paging.ts';
import { refuseUnusableSchema } from '../refuse-unusable-schema.ts';
import { principalOf, type Routing, seesSecrets, serve } from '../route.ts';

/** Who saves a version. */
export function authorOf(request: FastifyRequest): VersionAuthor {
  const holder = holderOf(principalOf(request));
  return holder ? { type: holder.type, id: holder.id, name: holder.name } : { type: 'token' };
}

/** The versions of assistants: drafts, publishing, restoring, labels. */
export function assistantVersionRoutes(
  routing: Routing,
  operations: Contract['assistants'],
  deps: Pick<ApiDeps, 'db' | 'carriers' | 'toolServers' | 'vendorProblems'>,
): void {
  const { db, carriers, toolServers, vendorProblems } = deps;
  const schema = operations.create.body;

  serve(routing, operations.listVersions, async ({ teamId, params, query, request, reply }) => {
    const page = await listVersions(db, { teamId, id: params.id, ...query });
    linkNextPage(request, reply, page);
    return page.items.map(presentVersion);
  });

  serve(routing, operations.draft, async ({ teamId, params: { id }, body, request }) => {
    const { from = '', changes, note } = body;
    const base = await getVersion(db, { teamId, id, name: from });
    const config = checked(applyMergePatch(base.config, changes), 'changes.');
    const stored = base.config.assistantAnalysis.structuredData.schema;
    const sent = { ...dataSchemaOf(config, teamId), stored };
    await refuseUnusableSchema(toolServers.schemas, sent);
    const author = authorOf(request);
    return db.transaction(async (tx) => {
      await checkReferences(tx, config, { teamId, path: 'changes.' });
      return presentVersion(await createDraft(tx, { teamId, id, config, author, note }));
    });
  });

  serve(routing, operations.getVersion, async ({ teamId, params, request }) => {
    const { config, ...version } = await getVersion(db, {
      ...{ teamId, id: params.id, name: params.version },
    });
    const shown = seesSecrets(request) ? config : hideServerSecrets(config);
    return { ...presentVersion(version), assistant: shown };
  });

  serve(routing, operations.compareVersions, async ({ teamId, params, query }) => {
    const { id } = params;
    const after = await getVersion(db, { teamId, id, name: params.version });
    // The first version has changed nothing.
    const from = query.from ?? String(Math.max(1, after.number - 1));
    const before = await getVersion(db, { teamId, id, name: from });
    return diffVersions(hideServerSecrets(before.config), hideServerSecrets(after.config));
  });

  serve(routing, operations.publish, async ({ teamId, params }) => {
    const { id } = params;
    const assistant = await db.transaction(async (tx) => {
      const { number, config } = await getVersion(tx, { teamId, id, name: params.version });
      // Since it was saved, a tool may have been deleted or a limit lowered.
      const usable = checked(config, '');
      await refuseUntested(tx, { teamId, id, version: number });
      await checkReferences(tx, usable, { teamId });
      refuseUnplayableSound(
        carriers,
        usable,
        await listNumbersOfAssistant(tx, { assistantId: id }),
      );
      return presentAssistant(await publishVersion(tx, { teamId, id, number }));
    });
    return withWarnings(assistant, vendorProblems);
  });

  serve(routing, operations.setLabel, async ({ teamId, params, body }) =>
    db.transaction(async (tx) => {
      const { id, label } = params;
      const { version } = body;
      const answering = await listNumbersOfAssistant(tx, { assistantId: id });
      if (answering.some(({ assistantVersion }) => assistantVersion === label))
        await refuseUntested(tx, { teamId, id, version });
      return presentVersion(await setLabel(tx, { teamId, id, label, number: version }));
    }),
  );

  serve(routing, operations.removeLabel, async ({ teamId, params }) =>
    presentVersion(await removeLabel(db, { teamId, ...params })),
  );

  serve(routing, operations.getGate, ({ teamId, params }) =>
    getPublishGate(db, { teamId, id: params.id }),
  );

  serve(routing, operations.setGate, ({ teamId, params, body }) =>
    setPublishGate(db, { teamId, id: params.id, ...body }),
  );

  function checked(config: unknown, path: string): AssistantConfig {
    const result = validate(schema, config);
    if (result.ok) return result.value;
    throw invalid(result.faults.map((fault) => ({ ...fault, path: `${path}${fault.path}` })));
  }
}

function presentVersion(record: VersionRecord): AssistantVersion {
  const { assistantId, number, author, note, published, labels, createdAt } = record;
  return {
    assistantId,
    version: number,
    createdAt: createdAt.toISOString(),
    ...(author ? { author } : {}),
    ...{ note, published, labels: [...labels] },
  };
}
