import type { LargeTeam } from './large-team.ts';

/** Every page of the console that shows what a team has, by its name. */
export function consoleAddresses(team: LargeTeam): Readonly<Record<string, string>> {
  return {
    Overview: '/',
    Talk: '/talk',
    Live: '/live',
    Calls: '/calls',
    'A call': `/calls/${team.callId}`,
    Numbers: '/numbers',
    'A number': `/numbers/${team.numberId}`,
    Assistants: '/assistants',
    'New assistant': '/assistants/new',
    'An assistant': `/assistants/${team.assistantId}`,
    'Its versions': `/assistants/${team.assistantId}/versions`,
    'Knowledge bases': '/knowledge-bases',
    'A knowledge base': `/knowledge-bases/${team.knowledgeBaseId}`,
    Tools: '/tools',
    'A tool': `/tools/${team.toolId}`,
    Vendors: '/vendors',
    Calendars: '/calendars',
    'A calendar': `/calendars/${team.calendarId}`,
    'Wait lists': '/wait-lists',
    'A wait list': `/wait-lists/${team.waitListId}`,
    People: '/people',
    'API keys': '/api-keys',
    'What is kept': '/privacy',
    'Audit log': '/audit',
  };
}
