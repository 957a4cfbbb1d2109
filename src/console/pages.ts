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
  assistantVersions: lazyPage<'id'>(
    async () => (await import('./assistants/versions-page.tsx')).VersionsPage,
  ),
  calls: lazyPage(async () => (await import('./calls/calls-page.tsx')).CallsPage),
  call: lazyPage<'id'>(async () => (await import('./calls/call-page.tsx')).CallPage),
  live: lazyPage(async () => (await import('./live/live-page.tsx')).LivePage),
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
  tests: lazyPage(async () => (await import('./tests/tests-page.tsx')).TestsPage),
  newTests: lazyPage(async () => (await import('./tests/new-suite-page.tsx')).NewSuitePage),
  testSuite: lazyPage<'id'>(async () => (await import('./tests/suite-page.tsx')).SuitePage),
  calendars: lazyPage(async () => (await import('./booking/bookable-list.tsx')).CalendarsPage),
  calendar: lazyPage<'id'>(async () => (await import('./booking/bookable-page.tsx')).CalendarPage),
  waitLists: lazyPage(async () => (await import('./booking/bookable-list.tsx')).WaitListsPage),
  waitList: lazyPage<'id'>(async () => (await import('./booking/bookable-page.tsx')).WaitListPage),
  numbers: lazyPage(async () => (await import('./numbers/numbers-page.tsx')).NumbersPage),
  number: lazyPage<'id'>(async () => (await import('./numbers/number-page.tsx')).NumberPage),
  vendors: lazyPage(async () => (await import('./vendors/vendors-page.tsx')).VendorsPage),
  health: lazyPage(async () => (await import('./health/health-page.tsx')).HealthPage),
  people: lazyPage(async () => (await import('./people/people-page.tsx')).PeoplePage),
  account: lazyPage(async () => (await import('./account/account-page.tsx')).AccountPage),
  join: lazyPage(async () => (await import('./door/join-page.tsx')).JoinPage),
  operator: lazyPage(async () => (await import('./operator/operator-page.tsx')).OperatorPage),
  privacy: lazyPage(async () => (await import('./privacy/privacy-page.tsx')).PrivacyPage),
  audit: lazyPage(async () => (await import('./audit/audit-page.tsx')).AuditPage),
  apiKeys: lazyPage(async () => (await import('./pages/api-keys.tsx')).ApiKeys),
  publicKeys: lazyPage(
    async () => (await import('./public-keys/public-keys-page.tsx')).PublicKeysPage,
  ),
} as const;
