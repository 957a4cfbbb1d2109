import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { ASSISTANTS, useNamed } from '../../named.ts';
import { useClient } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { faultText } from '../../ui/fault-text.ts';
import { useAction } from '../../use-action.ts';
import { type Loaded, useLoad } from '../../use-load.ts';
import { AnswersView } from '../answers-view.tsx';
import type { TalkAssistant } from '../assistant-choice.tsx';
import { Composer } from '../composer.tsx';
import { Conversation } from '../conversation.tsx';
import { Keypad } from '../keypad.tsx';
import { Notice } from '../notice.tsx';
import { Stage } from '../stage.tsx';
import { addEmulatorNumber, listEmulatorNumbers } from './emulator-numbers.ts';
import { PhoneControls } from './phone-controls.tsx';
import { Telephone } from './telephone.ts';

interface PhoneCallPanelProps {
  readonly head: ComponentChildren;
  readonly assistant: Loaded<TalkAssistant | null>;
  readonly chosen: string | undefined;
  /** Id of the number to call; if undefined, a number of the chosen assistant is used. */
  readonly chosenNumber: string | undefined;
  /** Called when a call of the phone begins or ends. */
  readonly onPhoning: (isInCall: boolean) => void;
}

/** A phone at the built-in carrier: it calls an assistant's number, receives its calls, and exchanges texts. */
export function PhoneCallPanel(props: PhoneCallPanelProps) {
  const { head, assistant: loaded, chosen, chosenNumber, onPhoning } = props;
  const client = useClient();
  const phone = useMemo(() => new Telephone(client), [client]);
  useEffect(() => () => phone.dispose(), [phone]);
  const numbers = useLoad((signal) => listEmulatorNumbers(client, signal), [client]);
  const list = numbers.data ?? [];
  const picked = useSignal(chosenNumber);
  const number =
    list.find(({ _id }) => _id === picked.value) ??
    list.find(({ assistantId }) => assistantId === chosen) ??
    list[0];
  const assistant = loaded.data;
  const names = useNamed(
    ASSISTANTS,
    list.map(({ assistantId }) => assistantId),
  );
  const add = useAction(async (assistantId: string) => {
    await addEmulatorNumber(client, assistantId);
    numbers.reload();
  });
  const callMe = useAction(async (phoneNumberId: string) => {
    const customer = { number: phone.number.value ?? '' };
    await client.call('connectCall', { body: { direction: 'outbound', phoneNumberId, customer } });
  });
  const talking = phone.talking.value;
  const isInCall = talking || phone.state.value.kind === 'dialling';
  useEffect(() => {
    onPhoning(isInCall);
    return () => onPhoning(false);
  }, [isInCall]);
  return (
    <>
      <div id="workspace" class="workspace" data-phase={phone.state.value.kind}>
        {head}
        <Stage
          states={phone.states.value}
          running={talking}
          onMeter={(meter) => {
            phone.onLevels = (levels) => meter?.add(levels);
          }}
        />
        <Conversation
          lines={phone.lines.value}
          empty="Switch the telephone on, then call an assistant or let it call you. The transcript appears here."
        >
          <Composer
            label="Send a text to the assistant’s number"
            disabled={!phone.isOn.value || !number}
            onSend={(text) => number && phone.sendText(number.number, text)}
          />
        </Conversation>
        <div class="talk-side">
          {numbers.data && list.length === 0 && assistant && (
            <div class="phone-numberless">
              <p>
                No assistant has a number of the built-in carrier yet. It costs nothing and rings
                only here.
              </p>
              <Button busy={add.busy} onClick={() => add.run(assistant._id)}>
                Get one for {assistant.name}
              </Button>
              {add.error !== undefined && <p class="fault">{faultText(add.error)}</p>}
            </div>
          )}
          {phone.isOn.value && (
            <Keypad disabled={!talking} onPress={(digit) => phone.pressKey(digit)} />
          )}
          <Texts texts={phone.texts.value} />
          <AnswersView answers={phone.answers.value} />
        </div>
        <PhoneControls
          phone={phone}
          numbers={list}
          number={number}
          nameOf={(id) => names.of(id)?.label ?? 'an assistant'}
          onPick={(id) => {
            picked.value = id;
          }}
          onCallMe={(id) => callMe.run(id)}
          asking={callMe.busy}
        />
      </div>
      <Notice
        message={
          callMe.error === undefined
            ? phone.notice.value
            : { title: 'The assistant could not call', text: faultText(callMe.error) }
        }
        onClose={() => {
          phone.notice.value = undefined;
          callMe.forget();
        }}
      />
    </>
  );
}

interface TextsProps {
  readonly texts: Telephone['texts']['value'];
}

function Texts({ texts }: TextsProps) {
  if (texts.length === 0) return null;
  return (
    <section class="phone-texts" aria-labelledby="texts-title">
      <h2 id="texts-title">Texts</h2>
      <ol aria-live="polite">
        {texts.map(({ id, from, text }) => (
          <li key={id} class={from}>
            <span class="visually-hidden">{from === 'user' ? 'You' : 'Assistant'}: </span>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
