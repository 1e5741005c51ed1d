import { useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { EndedNotice } from '../sign-in/ended-notice.tsx';
import { lastSignOut } from '../sign-in/last-sign-out.ts';
import { unsavedForms } from './unsaved.ts';

/**
 * Says that a form holds something that was entered and not saved, for as long as it is shown. The end of a session keeps it, unless
 * the browser could not remember a sign-out.
 */
export function useUnsaved(is: boolean): void {
  const client = useQueryClient();
  useLayoutEffect(() => {
    const before = is ? lastSignOut() : null;
    if (before === null) return;
    // The notice comes with the form: after an upgrade of the service, it could not be loaded any more.
    const form = { before, Notice: EndedNotice };
    unsavedForms.add(form);
    return () => {
      unsavedForms.delete(form);
      // Without it, nothing of a session that has ended stays.
      if (client.getQueryData(sessionQuery.queryKey)?.ended)
        void client.refetchQueries({ queryKey: sessionQuery.queryKey });
    };
  }, [client, is]);
}
