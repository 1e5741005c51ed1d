import { Button, MantineProvider, Menu, Modal } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import { createRouter, RouterProvider } from '@tanstack/react-router';
import { IntlMessageFormat } from 'intl-messageformat';

/** The libraries of the first view beside React: a file of their own, which runs in a task of its own. */
export const LIBRARIES: readonly unknown[] = [
  ...[Button, MantineProvider, Menu, Modal, Notifications],
  ...[QueryClientProvider, useMutation, useQuery, createRouter, RouterProvider, IntlMessageFormat],
];
