import '../talk/talk.css';
import './try-panel.css';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AssistantInput } from '../../client/api.generated.ts';
import { BUILT_IN_VARIABLES } from '../form/built-in-variables.ts';
import { variablesIn } from '../form/template-parts.ts';
import type { Values } from '../form/value-path.ts';
import type { Loss } from '../router.ts';
import { useClient } from '../session.ts';
import { Composer } from '../talk/composer.tsx';
import { Conversation } from '../talk/conversation.tsx';
import { Notice } from '../talk/notice.tsx';
import { TalkCall, type TalkMode } from '../talk/talk-call.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useLeavingGuard } from '../use-leaving-guard.ts';
import { ModelExchanges } from './model-exchanges-list.tsx';
import { TEMPLATES } from './templates/all-templates.ts';

const HANGS_UP: Loss = {
  title: 'Hang up and leave?',
  text: 'You are in a call. It ends when you leave this page.',
  action: 'Hang up',
};

interface TryPanelProps {
  /** The assistant as it stands in the form, saved or not. */
  readonly draft: Values;
  /** True if the form has no errors; else this shows them. */
  readonly check: () => boolean;
  /** Id of the template whose questions are offered. */
  readonly template: string | null;
  readonly onClose: () => void;
}

/** A call with the assistant as it is being edited, by voice or in writing, and what its model gets to see. */
export function TryPanel({ draft, check, template, onClose }: TryPanelProps) {
  const client = useClient();
  const call = useMemo(() => Object.assign(new TalkCall(client), { watchesModel: true }), [client]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const inCall = call.inCall.value;
  useLeavingGuard(inCall ? HANGS_UP : undefined);
  useEffect(() => {
    const leave = (): void => call.hangUp();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      call.dispose();
    };
  }, [call]);

  const names = useMemo(() => variablesOf(draft), [draft]);
  const questions = TEMPLATES.find(({ id }) => id === template)?.questions ?? [];
  const start = (mode: TalkMode): boolean => {
    if (!check()) return false;
    const given = names.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
    const target = {
      assistant: draft as AssistantInput,
      assistantOverrides: { dynamicVariables: Object.fromEntries(given) },
    };
    void call.start(target, mode);
    return true;
  };
  const say = (text: string): void => {
    if (inCall || start('text')) call.type(text);
  };
  return (
    <aside class="try-panel" aria-label="Talk to the draft">
      <header class="try-head">
        <h2>Talk to it</h2>
        <p class="soft">Uses the form as it is now, including unsaved changes.</p>
        <Button kind="quiet" small icon="close" aria-label="Close" onClick={onClose} />
      </header>
      {names.length > 0 && (
        <details class="try-values" open={!inCall}>
          <summary>Values of variables</summary>
          {names.map((name) => (
            <TextField
              key={name}
              id={`try-${name}`}
              label={name}
              value={values[name] ?? ''}
              maxLength={1000}
              disabled={inCall}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
        </details>
      )}
      <div class="row">
        <Button
          id="try-call"
          kind={inCall ? 'secondary' : 'primary'}
          icon="handset"
          onClick={() => (inCall ? call.hangUp() : start('voice'))}
        >
          {inCall ? 'Hang up' : 'Call by voice'}
        </Button>
        <span id="try-status" role="status" class="soft">
          {statusOf(call)}
        </span>
        {call.phase.value === 'ended' && call.callId.value !== undefined && (
          <Link href={`/calls/${call.callId.value}`}>View call</Link>
        )}
      </div>
      <Conversation
        title="Call with the draft"
        lines={call.lines.value}
        empty="Call by voice, or write what a caller would say."
      >
        {questions.length > 0 && (
          <div class="try-questions">
            {questions.map((question) => (
              <Button key={question.say} small kind="quiet" onClick={() => say(question.say)}>
                {question.say}
              </Button>
            ))}
          </div>
        )}
        <Composer
          label="Write as a caller"
          disabled={call.phase.value === 'opening'}
          onSend={say}
        />
      </Conversation>
      <ModelExchanges exchanges={call.exchanges.value} />
      <Notice
        message={call.notice.value}
        onClose={() => {
          call.notice.value = undefined;
        }}
      />
    </aside>
  );
}

const STATUS: Readonly<Record<string, string>> = {
  opening: 'Opening the call',
  connecting: 'Connecting',
  live: 'In call',
  reconnecting: 'Connection lost, reconnecting',
  ended: 'Call ended',
};

const statusOf = (call: TalkCall): string => STATUS[call.phase.value] ?? '';

/** The variables in any text of the assistant that the service does not fill in itself. */
function variablesOf(draft: Values): readonly string[] {
  const builtIn = new Set(BUILT_IN_VARIABLES.map(({ name }) => name));
  return variablesIn(textsOf(draft).join('\n')).filter((name) => !builtIn.has(name));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('{{') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
