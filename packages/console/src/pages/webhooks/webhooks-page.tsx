import { useNavigate, useSearch } from "@tanstack/react-router";
import { RefreshCcw, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { webhooks as words } from "#strings/webhooks";
import { operations } from "../../api/operations.ts";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Deliveries } from "./deliveries.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import { Endpoints } from "./endpoints/endpoints.tsx";
import { Receivers } from "./receivers.tsx";
import { RedeliverFailed } from "./redeliver-failed.tsx";
import { Secrets } from "./secrets.tsx";
import { SendTest } from "./send-test.tsx";
import styles from "./webhooks.module.css";

export function WebhooksPage(): ReactNode {
  const { delivery } = useSearch({ from: "/console/webhooks" });
  return delivery === undefined ? <AllWebhooks /> : <DeliveryView id={delivery} />;
}

function AllWebhooks(): ReactNode {
  const { tab = "deliveries" } = useSearch({ from: "/console/webhooks" });
  const navigate = useNavigate({ from: "/console/webhooks" });
  const [opened, setOpened] = useState<"test" | "failed" | null>(null);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Button does={operations.redeliverWebhook} onClick={() => setOpened("failed")}>
          <RefreshCcw aria-hidden="true" />
          {words.redeliverFailed}
        </Button>
        <Button does={operations.sendTestWebhook} look="primary" onClick={() => setOpened("test")}>
          <Send aria-hidden="true" />
          {words.sendTest}
        </Button>
      </PageHead>
      <Tabs
        label={words.title}
        chosen={tab}
        onChoose={(chosen) => navigate({ search: chosen === "deliveries" ? {} : { tab: chosen } })}
        tabs={[
          { name: "deliveries", label: words.tabs.deliveries },
          { name: "endpoints", label: words.tabs.endpoints },
          { name: "receivers", label: words.tabs.receivers },
          { name: "secrets", label: words.tabs.secrets },
        ]}
      >
        <div className={styles.under}>
          {tab === "deliveries" ? <Deliveries onTest={() => setOpened("test")} /> : null}
          {tab === "endpoints" ? <Endpoints /> : null}
          {tab === "receivers" ? <Receivers /> : null}
          {tab === "secrets" ? <Secrets /> : null}
        </div>
      </Tabs>
      <SendTest isOpen={opened === "test"} onClose={() => setOpened(null)} />
      <RedeliverFailed isOpen={opened === "failed"} onClose={() => setOpened(null)} />
    </>
  );
}
