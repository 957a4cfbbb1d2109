import { LinkButton } from '../ui/link-button.tsx';

/** Steps for a new user, until there is a first call. */
export function FirstSteps({ assistants }: { readonly assistants: number }) {
  const steps = [
    {
      title: 'Create an assistant',
      text: 'Choose its prompt, voice and tools. A working example exists already.',
      href: '/assistants/new',
      action: 'Create one',
      done: assistants > 1,
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
