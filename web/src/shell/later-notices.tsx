import { DatabaseNotice } from '../away/database-notice.tsx';
import { EndedNotice } from '../sign-in/ended-notice.tsx';

/** The notices above a view that cannot be needed when it is drawn first. */
export function LaterNotices({ className }: { className: string | undefined }) {
  return (
    <>
      <DatabaseNotice className={className} />
      <EndedNotice className={className} />
    </>
  );
}
