import { LinkButton } from '../ui/link-button.tsx';

/** Steps for a new user, until there is a first call. */
export function FirstSteps({ assistants }: { readonly assistants: number }) {
  const steps = [
    {
      title: 'Create an assistant',
      text: 'Say who it is, what it may do and how it sounds. One that works is here already.',
      href: '/assistants/new',
      action: 'Create one',
      done: assistants > 1,
    },
    {
      title: 'Tell it what it should know',
      text: 'A knowledge base holds your questions and answers, files and pages.',
      href: '/knowledge-bases',
      action: 'Add knowledge',
      done: false,
    },
    {
      title: 'Talk to it',
      text: 'By your microphone, by typing, or on a telephone in this page.',
      href: '/talk',
      action: 'Talk',
      done: false,
    },
  ];
  return (
    <section class="card first-steps" aria-labelledby="first-steps-title">
      <h2 id="first-steps-title">From here to your first call</h2>
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
