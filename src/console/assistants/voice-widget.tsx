import { useEffect, useRef } from 'preact/hooks';
import type { VendorVoice } from '../../client/api.generated.ts';
import { useFormScope, type WidgetProps } from '../form/form-scope.ts';
import { valueAt } from '../form/value-path.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

const SAMPLE = 'Hello, how can I help you today?';
const SAMPLE_MS = 30_000;

/** Choice of a voice from the vendor's list, by name, language and gender; each can be heard. Other ids may be typed. */
export function VoiceWidget({ id, path, text, value, onChange, help, error }: WidgetProps) {
  const client = useClient();
  const { value: form } = useFormScope();
  const entry = path.replace(/\.voice$/, '');
  const vendor = String(valueAt(form, `${entry}.vendor`) ?? '');
  const language = String(valueAt(form, `${entry}.language`) ?? '');
  const voice = typeof value === 'string' ? value : '';
  const voices = useLoad<readonly VendorVoice[]>(
    async (signal) =>
      may('builder') && vendor !== ''
        ? (await client.call('listVendorVoices', { query: { vendor }, signal })).voices
        : [],
    [client, vendor],
  );
  const sound = useRef<HTMLAudioElement>();
  useEffect(() => () => sound.current?.pause(), []);
  const play = useAction(async () => {
    const body = { vendor, voice, text: SAMPLE, ...(language === '' ? {} : { language }) };
    const response = await client.open('speakSample', { body, timeoutMs: SAMPLE_MS });
    const address = URL.createObjectURL(await response.blob());
    sound.current?.pause();
    sound.current = new Audio(address);
    sound.current.onended = () => URL.revokeObjectURL(address);
    await sound.current.play();
  });
  const fault = error ?? (play.error === undefined ? undefined : faultText(play.error));
  return (
    <div class="voice-choice">
      <Combobox
        id={id}
        label={text.label}
        help={help}
        error={fault}
        freeText
        {...(text.placeholder ? { placeholder: text.placeholder } : {})}
        options={forLanguage(voices.data ?? [], language).map((one) => ({
          value: one.id,
          label: one.name,
          detail: detailOf(one),
        }))}
        value={voice}
        onChange={onChange}
      />
      {may('builder') && (
        <Button small icon="play" busy={play.busy} onClick={() => void play.run()}>
          Play
        </Button>
      )}
    </div>
  );
}

/** Those that speak the language first. */
function forLanguage(voices: readonly VendorVoice[], language: string): readonly VendorVoice[] {
  const wanted = language.split('-')[0];
  const speaks = ({ languages }: VendorVoice): number =>
    Number(!languages.some((tag) => tag.split('-')[0] === wanted));
  return voices.toSorted((one, other) => speaks(one) - speaks(other));
}

const detailOf = ({ languages, gender, description }: VendorVoice): string =>
  [languages.join(' '), gender, description].filter(Boolean).join(' · ');
