import { Link, useRoute } from 'wouter-preact';
import { pages } from './pages.ts';
import { may, type Role } from './session.ts';
import { Icon, type IconName } from './ui/icon.tsx';

interface PlaceProps {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly page: { preload(): void };
  /** Shown from this role on. @defaultValue viewer */
  readonly least?: Role;
}

const GROUPS: readonly { readonly title?: string; readonly places: readonly PlaceProps[] }[] = [
  {
    places: [
      { path: '/', name: 'Overview', icon: 'overview', page: pages.overview },
      { path: '/health', name: 'Health', icon: 'health', page: pages.health, least: 'builder' },
    ],
  },
  {
    title: 'Conversations',
    places: [
      { path: '/talk', name: 'Talk', icon: 'talk', page: pages.talk, least: 'builder' },
      { path: '/live', name: 'Live', icon: 'ear', page: pages.live, least: 'reviewer' },
      { path: '/calls', name: 'Calls', icon: 'calls', page: pages.calls, least: 'reviewer' },
      { path: '/numbers', name: 'Numbers', icon: 'numbers', page: pages.numbers },
    ],
  },
  {
    title: 'Build',
    places: [
      { path: '/assistants', name: 'Assistants', icon: 'assistants', page: pages.assistants },
      {
        path: '/knowledge-bases',
        name: 'Knowledge bases',
        icon: 'knowledge',
        page: pages.knowledgeBases,
      },
      { path: '/tests', name: 'Tests', icon: 'flask', page: pages.tests },
      { path: '/tools', name: 'Tools', icon: 'tools', page: pages.tools },
      { path: '/vendors', name: 'Vendors', icon: 'vendors', page: pages.vendors },
      { path: '/calendars', name: 'Calendars', icon: 'calendar', page: pages.calendars },
      { path: '/wait-lists', name: 'Wait lists', icon: 'list', page: pages.waitLists },
    ],
  },
  {
    title: 'Access',
    places: [
      { path: '/people', name: 'People', icon: 'people', page: pages.people, least: 'admin' },
      { path: '/api-keys', name: 'API keys', icon: 'keys', page: pages.apiKeys, least: 'admin' },
      {
        path: '/public-keys',
        name: 'Public keys',
        icon: 'link',
        page: pages.publicKeys,
        least: 'admin',
      },
      {
        path: '/privacy',
        name: 'Data retention',
        icon: 'trash',
        page: pages.privacy,
        least: 'admin',
      },
      { path: '/audit', name: 'Audit log', icon: 'check', page: pages.audit, least: 'admin' },
    ],
  },
];

/** Links to the pages that the role allows. */
export function Navigation() {
  return (
    <nav aria-label="Pages">
      {GROUPS.map(({ title, places }) => ({
        title,
        places: places.filter(({ least = 'viewer' }) => may(least)),
      }))
        .filter(({ places }) => places.length > 0)
        .map(({ title, places }) => (
          <div key={title ?? ''}>
            {title && <p class="places-title">{title}</p>}
            <ul class="places" aria-label={title}>
              {places.map((place) => (
                <Place key={place.path} {...place} />
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

function Place({ path, name, icon, page }: PlaceProps) {
  const [here] = useRoute(path === '/' ? path : `${path}/*?`);
  return (
    <li>
      <Link
        class="place"
        href={path}
        aria-current={here ? 'page' : undefined}
        onPointerEnter={page.preload}
        onFocus={page.preload}
      >
        <Icon name={icon} />
        {name}
      </Link>
    </li>
  );
}
