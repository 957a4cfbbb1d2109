import {
  addToWaitList,
  findPlace,
  leaveWaitList,
  WaitListFullError,
} from '../../store/wait-list-entries.ts';
import { findWaitListOfAssistant } from '../../store/wait-lists.ts';
import { type CallerDeps, phoneOf, Refusal, textOf } from '../caller.ts';
import type { HostedTool } from '../hosted-tool.ts';
import { llmTool } from '../llm-tool.ts';
import { createPredefinedTool } from '../predefined-tool.ts';

type Args = Readonly<Record<string, unknown>>;

const phone = {
  type: 'string',
  description:
    'Only if it is another number than the one the caller calls from, or that one is not known.',
};

const ADD = llmTool(
  'waitListAdd',
  'Puts the caller on the waiting list. Call it once the caller has agreed and given a name; then tell them their ' +
    'position. Who is on it already keeps their place.',
  {
    name: { type: 'string', description: "The caller's name." },
    phone,
    notes: {
      type: 'string',
      description: 'What they wait for, if they said so, such as "a table for four".',
    },
  },
  ['name'],
);
const POSITION = llmTool(
  'waitListPosition',
  'Tells which position the caller has on the waiting list; 1 is next.',
  { phone },
);
const LEAVE = llmTool(
  'waitListLeave',
  'Takes the caller off the waiting list. Ask whether they are sure, unless they said so plainly.',
  { phone },
);

/** The tools of the predefined `waitList`: join it, ask for the position, leave it. */
export function createWaitListTools(deps: CallerDeps): readonly HostedTool[] {
  const { db } = deps;
  const list = async () => {
    const found = await findWaitListOfAssistant(db, deps);
    if (!found) throw new Refusal('no waiting list is set up');
    return found;
  };
  const place = async (args: Args) => {
    const wanted = phoneOf(args.phone) || phoneOf(deps.callerNumber);
    if (wanted === '') throw new Refusal("the caller's number is not known: ask for it");
    const found = await findPlace(db, { waitListId: (await list()).id, phone: wanted });
    if (!found) throw new Refusal('nobody waits under that number');
    return found;
  };
  return [
    createPredefinedTool(deps, {
      definition: ADD,
      readOnly: false,
      act: async ({ arguments: args, callId, toolCallId }) => {
        const { id, config } = await list();
        const entry = await addToWaitList(db, {
          waitListId: id,
          maxEntries: config.maxEntries,
          name: textOf(args.name),
          phone: phoneOf(args.phone) || phoneOf(deps.callerNumber),
          notes: textOf(args.notes),
          callId,
          requestKey: `${callId}:${toolCallId}`,
        }).catch((error: unknown) => {
          if (error instanceof WaitListFullError) throw new Refusal('the waiting list is full');
          throw error;
        });
        return { status: entry.status, position: entry.position };
      },
    }),
    createPredefinedTool(deps, {
      definition: POSITION,
      readOnly: true,
      act: async ({ arguments: args }) => {
        const { name, position } = await place(args);
        return { name, position };
      },
    }),
    createPredefinedTool(deps, {
      definition: LEAVE,
      readOnly: false,
      act: async ({ arguments: args }) => {
        const { waitListId, id } = await place(args);
        await leaveWaitList(db, { waitListId, id });
        return { status: 'left' };
      },
    }),
  ];
}
