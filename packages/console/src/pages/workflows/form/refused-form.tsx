// What the server refused in a form, with the way to the fields.
import type { ReactNode } from "react";
import { workForm } from "#strings/works/form";
import type { ApiFault, FieldFault } from "../../../api/fault.ts";
import { Button } from "../../../ui/button.tsx";
import { FaultNote } from "../../../ui/states.tsx";
import styles from "./form.module.css";

const words = workForm.publish;

export function RefusedForm(props: {
  readonly fault: ApiFault;
  readonly faults: readonly FieldFault[];
  readonly onShow: (faults: readonly FieldFault[]) => void;
}): ReactNode {
  return (
    <FaultNote
      fault={props.fault}
      title={words.inForm(props.faults.length)}
      ways={
        <Button small onClick={() => props.onShow(props.faults)}>
          {words.showInForm}
        </Button>
      }
    >
      <ul className={styles.refused}>
        {props.faults.map(({ path, message }) => (
          <li key={path.join("/")}>
            <code>{path.join(".")}</code> {message}
          </li>
        ))}
      </ul>
    </FaultNote>
  );
}
