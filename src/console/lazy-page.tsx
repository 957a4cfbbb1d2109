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
  let loaded: ComponentType<PageProps> | undefined;
  let loading: Promise<void> | undefined;
  const fetchPage = (): Promise<void> => {
    loading ??= load().then(
      (page) => {
        loaded = page as ComponentType<PageProps>;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function Page(props: PageProps) {
    const [error, setError] = useState<unknown>();
    const [, setReady] = useState(loaded !== undefined);
    useEffect(() => {
      let gone = false;
      if (!loaded) {
        fetchPage().then(
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
      <div class="page" aria-busy={error === undefined}>
        {error === undefined ? (
          <div class="late">
            <Skeleton lines={3} />
          </div>
        ) : (
          // A new version of the console has other file names; only reloading the page finds them.
          <ErrorState
            title="The page could not be loaded"
            error={error}
            onRetry={() => location.reload()}
          />
        )}
      </div>
    );
  }
  Page.preload = () => {
    // An error is shown when the page is opened.
    fetchPage().catch(() => {});
  };
  return Page;
}
