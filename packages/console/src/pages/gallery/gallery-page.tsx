import type { ReactNode } from "react";
import { PageHead } from "../../ui/panel.tsx";

export function GalleryPage(): ReactNode {
  return <PageHead title="Gallery" />;
}
