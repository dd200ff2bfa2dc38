// The entries of the side bar, in order of use. A page is listed even if the person has no right to it.

import {
  Activity,
  BadgeDollarSign,
  Blocks,
  Box,
  Cable,
  ChartColumn,
  CircleAlert,
  Cpu,
  CreditCard,
  Gauge,
  Images,
  KeyRound,
  LayoutDashboard,
  ListTodo,
  LockKeyhole,
  type LucideIcon,
  Package,
  ServerCog,
  Users,
  WandSparkles,
  Webhook,
  Workflow,
} from "lucide-react";
import { app as words } from "#strings/app";

export interface NavigationEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  // Also on the self-hosted surface.
  readonly selfHosted?: true;
  readonly operators?: true;
  // Only where credits are sold.
  readonly sold?: true;
  // Reached from that page and by the palette. The side bar shows that page as the current one.
  readonly partOf?: string;
}

export interface NavigationGroup {
  readonly label: string | null;
  readonly entries: readonly NavigationEntry[];
}

export const navigation: readonly NavigationGroup[] = [
  { label: null, entries: [{ label: words.entries.overview, to: "/", icon: LayoutDashboard, selfHosted: true }] },
  {
    label: words.groups.run,
    entries: [
      { label: words.entries.models, to: "/console/models", icon: Box },
      { label: words.entries.workflows, to: "/console/workflows", icon: Workflow, selfHosted: true },
      { label: words.entries.works, to: "/console/works", icon: WandSparkles },
      { label: words.entries.classes, to: "/console/classes", icon: Blocks, selfHosted: true },
    ],
  },
  {
    label: words.groups.activity,
    entries: [
      { label: words.entries.jobs, to: "/console/jobs", icon: ListTodo, selfHosted: true },
      { label: words.entries.requests, to: "/console/requests", icon: Activity },
      { label: words.entries.errors, to: "/console/errors", icon: CircleAlert },
      { label: words.entries.webhooks, to: "/console/webhooks", icon: Webhook },
    ],
  },
  {
    label: words.groups.library,
    entries: [{ label: words.entries.gallery, to: "/console/gallery", icon: Images, selfHosted: true }],
  },
  {
    label: words.groups.publish,
    entries: [
      { label: words.entries.nodes, to: "/console/nodes", icon: Package },
      { label: words.entries.badges, to: "/console/badges", icon: BadgeDollarSign },
    ],
  },
  {
    label: words.groups.account,
    entries: [
      { label: words.entries.usage, to: "/console/usage", icon: ChartColumn },
      { label: words.entries.plans, to: "/console/plans", icon: CreditCard, sold: true },
      { label: words.entries.keys, to: "/profile/api-keys", icon: KeyRound },
      { label: words.entries.credentials, to: "/console/credentials", icon: LockKeyhole },
      { label: words.entries.members, to: "/console/members", icon: Users },
    ],
  },
  {
    label: words.groups.operate,
    entries: [
      { label: words.entries.system, to: "/console/system", icon: Gauge, operators: true },
      ...[
        { label: words.entries.metrics, to: "/console/metrics" },
        { label: words.entries.backups, to: "/console/backups" },
        { label: words.entries.settings, to: "/console/settings" },
      ].map((entry) => ({ ...entry, icon: Gauge, operators: true as const, partOf: "/console/system" })),
      { label: words.entries.providers, to: "/console/providers", icon: Cable, operators: true },
      { label: words.entries.workers, to: "/console/workers", icon: Cpu, operators: true },
      { label: words.entries.workspaces, to: "/console/workspaces", icon: ServerCog, operators: true },
    ],
  },
];
