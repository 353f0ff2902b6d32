import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Who goes back finds the focus on the link that they followed there, once it is shown, unless it is elsewhere. */
export function useLinkReturn(): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const followed = useRef(new Map<string, () => HTMLElement | undefined>());
  useEffect(() => {
    const note = ({ target }: MouseEvent) => {
      const link = target instanceof Element && target.closest('main a[href]');
      if (!link) return;
      const find = () => [...document.querySelectorAll<HTMLElement>('main a[href]')].filter(isSame);
      const isSame = (other: Element) => other.getAttribute('href') === href;
      const href = link.getAttribute('href');
      const at = find().findIndex((other) => other === link);
      followed.current.set(key, () => find()[at]);
    };
    document.addEventListener('click', note, true);
    return () => document.removeEventListener('click', note, true);
  }, [key]);
  useEffect(() => {
    const find = followed.current.get(key);
    if (!isBack || !find) return undefined;
    const stop = new AbortController();
    const restore = () => {
      const link = find();
      if (!link) return;
      if (document.activeElement === document.body || document.activeElement?.matches('h1'))
        link.focus({ preventScroll: true });
      stop.abort();
    };
    const observer = new MutationObserver(restore);
    observer.observe(document.body, { childList: true, subtree: true });
    stop.signal.addEventListener('abort', () => observer.disconnect());
    for (const event of ['keydown', 'pointerdown'] as const)
      document.addEventListener(event, () => stop.abort(), { signal: stop.signal });
    restore();
    return () => stop.abort();
  }, [key, isBack]);
}
