import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { forgetNewer, type Room, useHasNewer } from '../api/changes.ts';

/** A button that shows newer entries of a long list, which does not change while somebody reads it. */
export function Newer({ room, label }: { room: Room; label: string }) {
  const client = useQueryClient();
  const hasNewer = useHasNewer(room);
  if (!hasNewer) return null;
  const show = () => {
    forgetNewer(room);
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: [room, 'list'] });
  };
  return (
    <Button variant="default" onClick={show} style={{ position: 'sticky', top: 8, zIndex: 5 }}>
      {label}
    </Button>
  );
}
