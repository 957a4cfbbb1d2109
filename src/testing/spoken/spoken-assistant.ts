import type { AssistantTest } from '../../contract/assistant-test.ts';

/** The fields of an assistant as its file has them. */
export type AssistantFields = Readonly<Record<string, unknown>>;

type Fields = Readonly<Record<string, unknown>> | undefined;

/** What runs on the machine of the service, and costs nothing. */
const LOCAL = ['offline', 'sherpa-onnx'];

const speechOf = ({ config }: AssistantFields) => (config as Fields)?.speech as Fields;
const voicesOf = (config: AssistantFields) =>
  (speechOf(config)?.ttsData ?? []) as readonly { readonly vendor?: unknown }[];
const recogniserOf = (config: AssistantFields) => speechOf(config)?.stt as Fields;

/** Why these tests cannot be spoken with the assistant: nobody caps what vendors would cost. Pure. */
export function vendorFault(
  config: AssistantFields,
  tests: readonly Pick<AssistantTest, 'name' | 'model'>[],
): string | undefined {
  const speech = [recogniserOf(config)?.vendor, ...voicesOf(config).map(({ vendor }) => vendor)];
  const vendor = speech.find((name) => name !== undefined && !LOCAL.includes(String(name)));
  if (vendor !== undefined)
    return `spoken tests ask no vendor: leave ${String(vendor)} out of the assistant's speech`;
  return modelFault(config, tests);
}

/** Why the model of these tests cannot be asked. Pure. */
export function modelFault(
  { assistantProvider = 'offline' }: { readonly assistantProvider?: unknown },
  tests: readonly Pick<AssistantTest, 'name' | 'model'>[],
): string | undefined {
  const unscripted = tests.find(({ model }) => !model);
  return unscripted && assistantProvider !== 'offline'
    ? `spoken tests ask no vendor: “${unscripted.name}” needs a scripted model`
    : undefined;
}

/** The number of the operator whom the assistant dials; undefined: it has none. Pure. */
export function operatorOf({ callForwardData }: AssistantFields): string | undefined {
  const number = (callForwardData as Fields)?.phoneNumber;
  return typeof number === 'string' && number !== '' ? number : undefined;
}

/**
 * The assistant with the test's model, an offline recogniser that knows the caller's lines, and an operator whom it can
 * reach, if it dials one. Pure.
 */
export function assistantOf(
  config: AssistantFields,
  { model }: Pick<AssistantTest, 'model'>,
  {
    modelUrl,
    lines,
    operator,
  }: {
    readonly modelUrl: string;
    readonly lines: readonly string[];
    readonly operator?: string | undefined;
  },
): AssistantFields {
  const speech = speechOf(config);
  const voices = voicesOf(config);
  const hints = [...new Set([...((config.hints as readonly string[]) ?? []), ...lines])];
  return {
    ...config,
    ...(operator === undefined
      ? {}
      : { callForwardData: { ...(config.callForwardData as object), phoneNumber: operator } }),
    hints,
    config: {
      ...(config.config as object | undefined),
      speech: {
        ...speech,
        stt: { vendor: 'offline', ...recogniserOf(config) },
        ttsData: voices.length > 0 ? voices : [{ vendor: 'offline' }],
      },
    },
    ...(model
      ? { assistantProvider: 'custom-llm', assistantLLMUrl: modelUrl }
      : { assistantProvider: 'offline' }),
  };
}
