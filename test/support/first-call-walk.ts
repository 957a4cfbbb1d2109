import type { ChatEmulator } from './chat-completions-emulator.ts';
import { startChatEmulator } from './chat-completions-emulator.ts';
import type { ConsolePage } from './console-page.ts';

export const WALK_KEY = 'sk-of-the-newcomer';
const QUESTION = 'What can I do for my country?';
export const WALK_ANSWER = 'You can plant a tree in your street this Saturday.';

/** The vendor of the walk: one that serves a model alone, so that the built-in voice and transcription are used beside it. */
export async function startWalkVendor(): Promise<ChatEmulator> {
  const vendor = await startChatEmulator({ profile: 'minimal', apiKey: WALK_KEY });
  vendor.script(
    { match: /country/i, deltas: [WALK_ANSWER] },
    { deltas: ['Please say ', 'that again.'] },
  );
  return vendor;
}

/** What the service of the walk is started with, by whoever runs it. */
export const walkEnvironment = (vendor: ChatEmulator): Readonly<Record<string, string>> => ({
  DEEPSEEK_BASE_URL: vendor.baseUrl,
  ALLOW_PRIVATE_TARGETS: 'true',
});

interface WalkStep {
  /** What the newcomer does, as the docs say it. */
  readonly title: string;
  act(view: ConsolePage, key: string): Promise<void>;
}

/** From an empty data folder to a call with an assistant of one's own at a vendor of one's own, in the console alone. */
export const WALK: readonly WalkStep[] = [
  {
    title: 'Sign in',
    async act(view, key) {
      await view.signIn(key);
      await view.untilText('#first-steps-title', 'Steps to your first call');
      await view.untilText('.first-steps', 'Connect a language model');
    },
  },
  {
    title: 'Set the key of your vendor',
    async act({ page }) {
      await page.click('.first-steps >> text=Set a key');
      await page.click('[aria-label="Set key of DeepSeek"]');
      await page.fill('#vendor-key', WALK_KEY);
    },
  },
  {
    title: 'Test it',
    async act(view) {
      await view.page.press('#vendor-key', 'Enter');
      await view.page.click('[aria-label="Test DeepSeek"]');
      await view.untilText('#vendor-deepseek .vendor-tests', 'works');
    },
  },
  {
    title: 'Describe your assistant',
    async act({ page }) {
      await page.click('nav a:has-text("Overview")');
      await page.click('.first-steps >> text=Create one');
      await page.fill('#assistant-name', 'Town hall');
      await page.fill('#assistant-welcome', 'Hello, this is the town hall.');
      await page.fill('#assistant-prompt', 'You answer for the town hall of Springfield, briefly.');
    },
  },
  {
    title: 'Choose its model',
    async act(view) {
      const { page } = view;
      await page.click('text=Create assistant');
      await view.untilText('#page-title', 'Town hall');
      await page.click('.editor-group:has-text("Model")');
      await page.selectOption('#field-assistantProvider', 'deepseek');
      await page.click('.save-bar .primary');
      await view.untilToast(/saved/i);
    },
  },
  {
    title: 'Call it',
    async act(view) {
      if ((await view.page.locator('#try-call').count()) === 0)
        await view.page.click('main >> text=Talk to it');
      await view.page.click('#try-call');
      await view.untilText('#transcript .assistant .said', /^Hello, this is the town hall/);
    },
  },
  {
    title: 'Ask it something',
    async act(view) {
      await view.page.fill('#composer', QUESTION);
      await view.page.press('#composer', 'Enter');
      await view.untilText('#transcript .user:not(.interim) .said', QUESTION);
      await view.untilText('#transcript .assistant .said', WALK_ANSWER);
      await view.untilLoudspeaker('audible');
    },
  },
  {
    title: 'Hang up, and read the call',
    async act(view) {
      await view.page.click('#try-call');
      await view.untilText('#try-status', 'Call ended');
      await view.page.click('text=View call');
      await view.untilText('main', QUESTION);
    },
  },
];
