import { lazyPage } from './lazy-page.tsx';

/** The console's pages; the code of each is loaded separately. */
export const pages = {
  overview: lazyPage(async () => (await import('./overview/overview-page.tsx')).OverviewPage),
  assistants: lazyPage(
    async () => (await import('./assistants/assistants-page.tsx')).AssistantsPage,
  ),
  newAssistant: lazyPage(
    async () => (await import('./assistants/new-assistant-page.tsx')).NewAssistantPage,
  ),
  assistant: lazyPage<'id'>(
    async () => (await import('./assistants/assistant-page.tsx')).AssistantPage,
  ),
  calls: lazyPage(async () => (await import('./calls/calls-page.tsx')).CallsPage),
  call: lazyPage<'id'>(async () => (await import('./calls/call-page.tsx')).CallPage),
  talk: lazyPage(async () => (await import('./talk/talk-page.tsx')).TalkPage),
  knowledgeBases: lazyPage(
    async () => (await import('./knowledge/knowledge-bases-page.tsx')).KnowledgeBasesPage,
  ),
  knowledgeBase: lazyPage<'id'>(
    async () => (await import('./knowledge/knowledge-base-page.tsx')).KnowledgeBasePage,
  ),
  tools: lazyPage(async () => (await import('./tools/tools-page.tsx')).ToolsPage),
  newTool: lazyPage(async () => (await import('./tools/new-tool-page.tsx')).NewToolPage),
  tool: lazyPage<'id'>(async () => (await import('./tools/tool-page.tsx')).ToolPage),
  numbers: lazyPage(async () => (await import('./numbers/numbers-page.tsx')).NumbersPage),
  number: lazyPage<'id'>(async () => (await import('./numbers/number-page.tsx')).NumberPage),
  apiKeys: lazyPage(async () => (await import('./pages/api-keys.tsx')).ApiKeys),
} as const;
