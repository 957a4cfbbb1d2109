import { useEffect, useRef } from 'preact/hooks';
import { type FieldGroup, groupOf } from './groups.ts';

interface GroupNavigationProps {
  readonly groups: readonly FieldGroup[];
  readonly current: FieldGroup;
  /** Paths of the fields that are invalid. */
  readonly faults: readonly string[];
  /** Paths of the fields with unsaved changes. */
  readonly changed: readonly string[];
  readonly onShow: (id: string) => void;
}

/** Navigation between the groups of fields; marks groups with invalid or unsaved fields. */
export function GroupNavigation(props: GroupNavigationProps) {
  const { groups, current, faults, changed, onShow } = props;
  const countIn = (paths: readonly string[], { id }: FieldGroup) =>
    paths.filter((path) => path !== '' && groupOf(path).id === id).length;
  const list = useRef<HTMLUListElement>(null);
  // On a narrow page the groups form a horizontal strip. Scroll only the strip to the current group, not the page.
  useEffect(() => {
    const button = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (!list.current || !button) return;
    list.current.scrollLeft = button.offsetLeft - list.current.clientWidth / 3;
  }, [current.id]);
  return (
    <nav class="editor-groups" aria-label="Settings of the assistant">
      <ul ref={list}>
        {groups.toSorted(basicFirst).map((group, index, all) => {
          const wrong = countIn(faults, group);
          const unsaved = countIn(changed, group);
          return (
            <li key={group.id}>
              {group.basic !== all[index - 1]?.basic && (
                <span class="editor-groups-title">{group.basic ? 'Basics' : 'Advanced'}</span>
              )}
              <button
                type="button"
                class="editor-group"
                aria-current={group.id === current.id ? 'true' : undefined}
                onClick={() => onShow(group.id)}
              >
                {group.title}
                {wrong > 0 ? (
                  <span class="editor-mark" data-tone="bad">
                    {wrong}
                    <span class="visually-hidden"> to fix</span>
                  </span>
                ) : (
                  unsaved > 0 && (
                    <span class="editor-mark">
                      <span class="visually-hidden">, unsaved changes</span>
                    </span>
                  )
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** A stable sort: within both, the order is that of the groups. */
const basicFirst = (one: FieldGroup, other: FieldGroup): number =>
  Number(!one.basic) - Number(!other.basic);
