import { may, useClient } from '../session.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { useLoad } from '../use-load.ts';

/** One exists already. */
const ENOUGH = 2;

/** Steps for a new user, until there is a first call. */
export function FirstSteps() {
  const client = useClient();
  const setsKeys = may('admin');
  const vendors = useLoad(
    async (signal) => (setsKeys ? client.call('listVendors', { signal }) : undefined),
    [client, setsKeys],
  );
  const hasKey = vendors.data?.accounts.some(({ account }) => account !== 'none') ?? false;
  const { data } = useLoad(
    (signal) => client.call('listAssistants', { query: { limit: ENOUGH, fields: 'name' }, signal }),
    [client],
  );
  const steps = [
    ...(setsKeys
      ? [
          {
            title: 'Connect a language model',
            text: 'With the key of a vendor such as OpenAI. Without one, a built-in responder answers from your knowledge bases.',
            href: '/vendors',
            action: 'Set a key',
            done: hasKey,
          },
        ]
      : []),
    {
      title: 'Create an assistant',
      text: 'Choose its prompt, voice and tools. A working example exists already.',
      href: '/assistants/new',
      action: 'Create one',
      done: data?.length === ENOUGH,
    },
    {
      title: 'Add knowledge',
      text: 'A knowledge base holds your questions and answers, files and pages.',
      href: '/knowledge-bases',
      action: 'Create a knowledge base',
      done: false,
    },
    {
      title: 'Talk to it',
      text: 'By microphone, by typing, or with a telephone in the browser.',
      href: '/talk',
      action: 'Talk',
      done: false,
    },
  ];
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <h2 id="first-steps-title">Steps to your first call</h2>
      <ol>
        {steps.map(({ title, text, href, action, done }, index) => (
          <li key={title} data-done={done || undefined}>
            <span class="step-number" aria-hidden="true">
              {done ? '✓' : index + 1}
            </span>
            <h3>
              {title}
              {done && <span class="visually-hidden">, done</span>}
            </h3>
            <p class="soft">{text}</p>
            <LinkButton href={href} small>
              {action}
            </LinkButton>
          </li>
        ))}
      </ol>
    </section>
  );
}
