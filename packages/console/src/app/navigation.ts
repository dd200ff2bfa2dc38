// The entries of the side bar, in order of use. A page is listed even if the person has no right to it.
import {
  Activity,
  BadgeDollarSign,
  Boxes,
  Cable,
  ChartColumn,
  CircleAlert,
  Cpu,
  Fingerprint,
  Gauge,
  Images,
  KeyRound,
  LayoutDashboard,
  ListTodo,
  type LucideIcon,
  Package,
  Puzzle,
  ServerCog,
  Users,
  Webhook,
  Workflow,
} from "lucide-react";

export interface NavigationEntry {
  readonly label: string;
  readonly to: string;
  readonly icon: LucideIcon;
  // Also on the self-hosted surface.
  readonly selfHosted?: true;
  readonly operators?: true;
}

export interface NavigationGroup {
  readonly label: string | null;
  readonly entries: readonly NavigationEntry[];
}

export const navigation: readonly NavigationGroup[] = [
  { label: null, entries: [{ label: "Overview", to: "/", icon: LayoutDashboard, selfHosted: true }] },
  {
    label: "Run",
    entries: [
      { label: "Models", to: "/console/models", icon: Boxes },
      { label: "Workflows", to: "/console/workflows", icon: Workflow, selfHosted: true },
      { label: "Node classes", to: "/console/classes", icon: Puzzle, selfHosted: true },
    ],
  },
  {
    label: "Watch",
    entries: [
      { label: "Jobs", to: "/console/jobs", icon: ListTodo, selfHosted: true },
      { label: "Requests", to: "/console/requests", icon: Activity },
      { label: "Errors", to: "/console/errors", icon: CircleAlert },
      { label: "Webhooks", to: "/console/webhooks", icon: Webhook },
    ],
  },
  { label: "Look", entries: [{ label: "Gallery", to: "/console/gallery", icon: Images, selfHosted: true }] },
  {
    label: "Publish",
    entries: [
      { label: "Nodes", to: "/console/nodes", icon: Package },
      { label: "Badges", to: "/console/badges", icon: BadgeDollarSign },
    ],
  },
  {
    label: "Account",
    entries: [
      { label: "Usage", to: "/console/usage", icon: ChartColumn },
      { label: "API keys", to: "/profile/api-keys", icon: KeyRound },
      { label: "Credentials", to: "/console/credentials", icon: Fingerprint },
      { label: "Members", to: "/console/members", icon: Users },
    ],
  },
  {
    label: "Operate",
    entries: [
      { label: "System", to: "/console/system", icon: Gauge, operators: true },
      { label: "Providers", to: "/console/providers", icon: Cable, operators: true },
      { label: "Workers", to: "/console/workers", icon: Cpu, operators: true },
      { label: "Workspaces", to: "/console/workspaces", icon: ServerCog, operators: true },
    ],
  },
];
