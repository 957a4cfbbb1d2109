import { expect, test } from 'vitest';
import { LockedError, NotFoundError, VersionConflictError } from '../../src/store/errors.ts';
import {
  deleteFaqEntry,
  insertFaqEntries,
  listFaqEntries,
  updateFaqEntries,
} from '../../src/store/faq-entries.ts';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  findKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
  missingKnowledgeBaseIds,
  updateKnowledgeBase,
} from '../../src/store/knowledge-bases.ts';
import { withDatabases } from '../support/postgres.ts';

withDatabases('knowledge bases', ({ db, newTeam }) => {
  const newBase = async (teamId: string) =>
    (await createKnowledgeBase(db(), { teamId, title: 'Shop' })).id;
  const question = (text: string) => ({ question: text, answer: `Answer to ${text}` });

  test('starts as a draft, or waiting to be trained when it has content', async () => {
    const teamId = await newTeam();
    const draft = await createKnowledgeBase(db(), { teamId, title: 'Shop' });
    expect(draft).toMatchObject({ status: 'draft', description: '', docs: [], files: [] });
    const withFile = await createKnowledgeBase(db(), {
      teamId,
      title: 'Shop',
      files: [{ id: 'file-1' }],
      retrainFrequencyMinutes: 60,
    });
    expect(withFile).toMatchObject({ status: 'queued', retrainFrequencyMinutes: 60 });
    expect((await listKnowledgeBases(db(), { teamId })).items).toEqual([withFile, draft]);
  });

  test('another team has none of it', async () => {
    const [teamId, other] = [await newTeam(), await newTeam()];
    const id = await newBase(teamId);
    const entries = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId: id,
      entries: [question('a')],
    });
    const foreign = { teamId: other, knowledgeBaseId: id };
    const entryId = entries[0]?.id ?? '';
    expect(await findKnowledgeBase(db(), { teamId: other, id })).toBeUndefined();
    expect(await listFaqEntries(db(), foreign)).toEqual([]);
    await expect(deleteKnowledgeBase(db(), { teamId: other, id })).rejects.toThrow(NotFoundError);
    await expect(insertFaqEntries(db(), { ...foreign, entries: [question('b')] })).rejects.toThrow(
      NotFoundError,
    );
    await expect(
      updateFaqEntries(db(), { ...foreign, entries: [{ id: entryId, answer: 'x' }] }),
    ).rejects.toThrow(NotFoundError);
    await expect(deleteFaqEntry(db(), { ...foreign, id: entryId })).rejects.toThrow(NotFoundError);
    expect(await missingKnowledgeBaseIds(db(), { teamId: other, ids: [id] })).toEqual([id]);
    expect(await missingKnowledgeBaseIds(db(), { teamId, ids: [id, 'x'] })).toEqual(['x']);
    expect(await listFaqEntries(db(), { teamId, knowledgeBaseId: id })).toEqual(entries);
  });

  test('an entry can only be reached through its own knowledge base', async () => {
    const teamId = await newTeam();
    const [id, sibling] = [await newBase(teamId), await newBase(teamId)];
    const [entry] = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId: id,
      entries: [question('a')],
    });
    const elsewhere = { teamId, knowledgeBaseId: sibling };
    const entryId = entry?.id ?? '';
    await expect(
      updateFaqEntries(db(), { ...elsewhere, entries: [{ id: entryId }] }),
    ).rejects.toThrow(NotFoundError);
    await expect(deleteFaqEntry(db(), { ...elsewhere, id: entryId })).rejects.toThrow(
      NotFoundError,
    );
  });

  test('is queued whenever its questions or files change', async () => {
    const teamId = await newTeam();
    const id = await newBase(teamId);
    await insertFaqEntries(db(), { teamId, knowledgeBaseId: id, entries: [question('a')] });
    expect((await getKnowledgeBase(db(), { teamId, id })).status).toBe('queued');
    await updateKnowledgeBase(db(), { teamId, id, content: { files: [{ id: 'f' }] } });
    const [entry] = await listFaqEntries(db(), { teamId, knowledgeBaseId: id });
    await deleteFaqEntry(db(), { teamId, knowledgeBaseId: id, id: entry?.id ?? '' });
    expect((await getKnowledgeBase(db(), { teamId, id })).status).toBe('queued');
  });

  test('entries keep the order of their insertion, thousands at once', async () => {
    const teamId = await newTeam();
    const knowledgeBaseId = await newBase(teamId);
    const first = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: Array.from({ length: 3_000 }, (_, i) => question(`${i}`)),
    });
    const second = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: [{ ...question('last'), category: 'c', updatable: false }],
    });
    expect(first[7]).toEqual({
      id: expect.any(String),
      question: '7',
      answer: 'Answer to 7',
      category: '',
      updatable: true,
    });
    expect(second[0]).toMatchObject({ category: 'c', updatable: false });
    expect(await listFaqEntries(db(), { teamId, knowledgeBaseId })).toEqual([...first, ...second]);
  });

  test('an update changes what is given and keeps order and the rest', async () => {
    const teamId = await newTeam();
    const knowledgeBaseId = await newBase(teamId);
    const [a, b, c] = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: [question('a'), question('b'), question('c')],
    });
    const updated = await updateFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: [
        { id: c?.id ?? '', answer: 'New' },
        { id: a?.id ?? '', category: 'first' },
      ],
    });
    expect(updated).toEqual([
      { ...c, answer: 'New' },
      { ...a, category: 'first' },
    ]);
    expect(await listFaqEntries(db(), { teamId, knowledgeBaseId })).toEqual([
      updated[1],
      b,
      updated[0],
    ]);
  });

  test('one unknown or locked entry refuses the whole update', async () => {
    const teamId = await newTeam();
    const knowledgeBaseId = await newBase(teamId);
    const entries = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: [question('open'), { ...question('locked'), updatable: false }],
    });
    const [open = '', locked = ''] = entries.map(({ id }) => id);
    const update = (changes: Parameters<typeof updateFaqEntries>[1]['entries']) =>
      updateFaqEntries(db(), { teamId, knowledgeBaseId, entries: changes });

    const unknown = update([
      { id: open, answer: 'New' },
      { id: 'missing', answer: 'New' },
    ]);
    await expect(unknown).rejects.toMatchObject({ resource: 'faq-entry', id: 'missing' });
    const refused = update([
      { id: open, answer: 'New' },
      { id: locked, answer: 'New' },
    ]);
    await expect(refused).rejects.toThrow(LockedError);
    await expect(refused).rejects.toMatchObject({ ids: [locked] });
    expect(await listFaqEntries(db(), { teamId, knowledgeBaseId })).toEqual(entries);

    // Setting stored values again changes nothing, so it is not rejected.
    await update(entries.map((entry) => ({ ...entry })));
    const [unlocked] = await update([{ id: locked, answer: 'New', updatable: true }]);
    expect(unlocked).toMatchObject({ answer: 'New', updatable: true });
    await update([{ id: locked, answer: 'Newer' }]);
  });

  test('of concurrent updates of a locked entry none slips through', async () => {
    const teamId = await newTeam();
    const knowledgeBaseId = await newBase(teamId);
    const [entry] = await insertFaqEntries(db(), {
      teamId,
      knowledgeBaseId,
      entries: [question('a')],
    });
    const id = entry?.id ?? '';
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        updateFaqEntries(db(), {
          teamId,
          knowledgeBaseId,
          entries: [{ id, answer: `${i}`, updatable: false }],
        }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('its questions go with it', async () => {
    const teamId = await newTeam();
    const knowledgeBaseId = await newBase(teamId);
    await insertFaqEntries(db(), { teamId, knowledgeBaseId, entries: [question('a')] });
    await deleteKnowledgeBase(db(), { teamId, id: knowledgeBaseId });
    expect(await listFaqEntries(db(), { teamId, knowledgeBaseId })).toEqual([]);
    await expect(getKnowledgeBase(db(), { teamId, id: knowledgeBaseId })).rejects.toThrow(
      NotFoundError,
    );
  });

  test('an update of an older version is refused', async () => {
    const teamId = await newTeam();
    const id = await newBase(teamId);
    await updateKnowledgeBase(db(), { teamId, id, content: { title: 'New' }, expectedVersion: 1 });
    await expect(
      updateKnowledgeBase(db(), { teamId, id, content: { title: 'Other' }, expectedVersion: 1 }),
    ).rejects.toThrow(VersionConflictError);
    expect(await getKnowledgeBase(db(), { teamId, id })).toMatchObject({
      title: 'New',
      version: 2,
    });
  });
});
