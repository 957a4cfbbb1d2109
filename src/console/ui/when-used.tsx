import type { ComponentChildren, ComponentType, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { faultText } from './fault-text.ts';
import { showToast } from './toasts.tsx';

/** What the control that stands for a widget is given. */
export interface RestingProps {
  readonly id: string;
  /** The widget's code is being loaded. */
  readonly busy: boolean;
  /** The pointer or the focus is there: the code may be wanted soon. */
  readonly onNear: () => void;
  /** Something was done that only the widget can answer: it takes the control's place, and it is done again to it. */
  readonly onUse: (event: Event) => void;
}

type Named<Props> = Props & { readonly id: string };

/** What was last done to the resting control, and how it was left. */
interface Held {
  readonly id: string;
  readonly event: Event;
  readonly typed?: string | undefined;
  readonly focused?: boolean;
}

/**
 * A widget whose code is loaded when it is first used. Until then `Resting` stands in its place, which looks the same and
 * has the same ids.
 */
export function whenUsed<Props extends { readonly id?: string }>(
  load: () => Promise<ComponentType<Named<Props>>>,
  Resting: ComponentType<Props & RestingProps>,
): ComponentType<Props> {
  let loaded: ComponentType<Named<Props>> | undefined;
  let loading: Promise<unknown> | undefined;
  const fetchCode = (): Promise<unknown> => {
    loading ??= load().then(
      (widget) => {
        loaded = widget;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  return function WhenUsed(props: Props) {
    const own = useId();
    const id = props.id ?? own;
    const [isAwake, setIsAwake] = useState(loaded !== undefined);
    const [busy, setBusy] = useState(false);
    const held = useRef<Held>(null);
    const use = (event: Event): void => {
      held.current = { id: (event.currentTarget as HTMLElement).id, event };
      setBusy(loaded === undefined);
      fetchCode()
        .then(
          () => setIsAwake(true),
          (error: unknown) => showToast(faultText(error), 'bad'),
        )
        .finally(() => setBusy(false));
    };
    const Widget = isAwake ? loaded : undefined;
    if (Widget)
      return (
        <Awake held={held}>
          <Widget {...props} id={id} />
        </Awake>
      );
    return (
      <Asleep
        onEnd={() => {
          held.current = held.current && leftAs(held.current);
        }}
      >
        <Resting
          {...props}
          id={id}
          busy={busy}
          // An error is shown when the widget is used.
          onNear={() => void fetchCode().catch(() => {})}
          onUse={use}
        />
      </Asleep>
    );
  };
}

interface AsleepProps {
  /** Called while the control is still in the document. */
  readonly onEnd: () => void;
  readonly children: ComponentChildren;
}

function Asleep({ onEnd, children }: AsleepProps) {
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useLayoutEffect(() => () => latest.current(), []);
  return <>{children}</>;
}

interface AwakeProps {
  readonly held: RefObject<Held>;
  readonly children: ComponentChildren;
}

function Awake({ held, children }: AwakeProps) {
  useLayoutEffect(() => {
    if (held.current?.focused) doAgain(held.current);
  }, []);
  return <>{children}</>;
}

function leftAs({ id, event }: Held): Held {
  const control = document.activeElement;
  const typed = control instanceof HTMLInputElement ? control.value : undefined;
  // A click on a button beside a field may leave the focus in the field, or nowhere.
  const focused = control?.id === id || event.type === 'click';
  return { id, event, focused, typed };
}

function doAgain({ id, event, typed }: Held): void {
  const control = document.getElementById(id);
  if (!control) return;
  control.focus();
  if (event.type === 'input' && control instanceof HTMLInputElement) control.value = typed ?? '';
  const Again = event.constructor as typeof Event;
  control.dispatchEvent(new Again(event.type, event));
}
