import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorState } from './ui/error-state.tsx';
import { Skeleton } from './ui/skeleton.tsx';

/** Props of a page: the parameters of its route. */
export interface PageProps<Names extends string = string> {
  readonly params: Readonly<Record<Names, string>>;
}

interface LazyPage {
  (props: PageProps): preact.JSX.Element;
  /** Loads the page's code before it is opened. */
  preload(): void;
}

/** A page whose code is loaded when it is first opened. */
export function lazyPage<Names extends string = never>(
  load: () => Promise<ComponentType<PageProps<Names>>>,
): LazyPage {
  // The router gives each page the parameters of its route.
  return lazy(load as () => Promise<ComponentType<PageProps>>, 'page');
}

/** A part of a page whose code is loaded when it is first shown. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(load, 'section');
}

function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  kind: 'page' | 'section',
) {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const fetchCode = (): Promise<void> => {
    loading ??= load().then(
      (code) => {
        loaded = code;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function Lazy(props: Props) {
    const [error, setError] = useState<unknown>();
    const [, setReady] = useState(loaded !== undefined);
    useEffect(() => {
      let gone = false;
      if (!loaded) {
        fetchCode().then(
          () => gone || setReady(true),
          (fault: unknown) => gone || setError(fault),
        );
      }
      return () => {
        gone = true;
      };
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return (
      <div class={kind} aria-busy={error === undefined}>
        {error === undefined ? (
          <div class="late">
            <Skeleton lines={3} />
          </div>
        ) : (
          // A new version of the console has other file names; only reloading the page finds them.
          <ErrorState
            title={`The ${kind === 'page' ? 'page' : 'part'} could not be loaded`}
            error={error}
            onRetry={() => location.reload()}
          />
        )}
      </div>
    );
  }
  Lazy.preload = () => {
    // An error is shown when it is opened.
    fetchCode().catch(() => {});
  };
  return Lazy;
}
