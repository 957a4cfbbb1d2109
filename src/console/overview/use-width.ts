import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Width of an element in CSS pixels; 0 until it is measured. */
export function useWidth(element: RefObject<HTMLElement>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return width;
}
