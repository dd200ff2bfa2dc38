// Ten operations through a Go client that oapi-codegen wrote from our openapi.json, against a server as shipped. It is copied beside
// the generated package and run there; each flow says one line of JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"time"

	"generated/atelier"
)

var ctx = context.Background()
var client *atelier.ClientWithResponses

func picture() []byte {
	pixels := image.NewRGBA(image.Rect(0, 0, 8, 8))
	rand.Read(pixels.Pix)
	var out bytes.Buffer
	if err := png.Encode(&out, pixels); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// What a call gave in place of what the document promises.
func unless(isThere bool, err error, body []byte) error {
	if err != nil {
		return err
	}
	if !isThere {
		return fmt.Errorf("another answer: %.400s", body)
	}
	return nil
}

func anAsset() (*atelier.Asset, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	form.WriteField("content_type", "image/png")
	form.WriteField("file_path", "go.png")
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", `form-data; name="file"; filename="go.png"`)
	head.Set("Content-Type", "image/png")
	part, _ := form.CreatePart(head)
	part.Write(picture())
	form.Close()
	made, err := client.UploadAssetWithBodyWithResponse(ctx, nil, form.FormDataContentType(), &body)
	if err := unless(err == nil && made.JSON201 != nil, err, bodyOf(made)); err != nil {
		return nil, err
	}
	return made.JSON201, nil
}

func bodyOf(answer *atelier.UploadAssetResponse) []byte {
	if answer == nil {
		return nil
	}
	return answer.Body
}

func assets() error {
	made, err := anAsset()
	if err != nil {
		return err
	}
	read, err := client.GetAssetWithResponse(ctx, made.Id)
	if err != nil {
		return err
	}
	return unless(read.JSON200 != nil && read.JSON200.Id == made.Id && *read.JSON200.Hash == *made.Hash, nil, read.Body)
}

func jobs() error {
	if _, err := anAsset(); err != nil {
		return err
	}
	var submission atelier.SubmitJob
	graph := `{"workflow":{
		"1":{"class_type":"LoadImage","inputs":{"image":"go.png"}},
		"2":{"class_type":"SaveImage","inputs":{"images":["1",0],"filename_prefix":"generated"}}},
		"metadata":{"client":"generated"}}`
	if err := json.Unmarshal([]byte(graph), &submission); err != nil {
		return err
	}
	made, err := client.SubmitJobWithResponse(ctx, nil, submission)
	if err != nil {
		return err
	}
	if made.JSON201 == nil {
		return unless(false, nil, made.Body)
	}
	id := made.JSON201.Id
	var job *atelier.Job
	for look := 0; look < 300; look++ {
		read, err := client.GetJobWithResponse(ctx, id)
		if err := unless(err == nil && read.JSON200 != nil, err, nil); err != nil {
			return err
		}
		if job = read.JSON200; job.CompletedAt != nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if job.Status != "succeeded" || len(job.Outputs) != 1 {
		return fmt.Errorf("the job is %s with %d outputs", job.Status, len(job.Outputs))
	}
	limit := 5
	page, err := client.ListJobsWithResponse(ctx, &atelier.ListJobsParams{Limit: &limit})
	if err != nil {
		return err
	}
	if page.JSON200 == nil || page.JSON200.Data[0].Id != id {
		return unless(false, nil, page.Body)
	}
	// An id as the answer has it names the job everywhere.
	charges, err := client.GetJobChargesWithResponse(ctx, id)
	if err != nil {
		return err
	}
	return unless(charges.JSON200 != nil, nil, charges.Body)
}

func main() {
	key := os.Getenv("COMFY_API_KEY")
	signed := atelier.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
	var err error
	if client, err = atelier.NewClientWithResponses(os.Getenv("COMFY_BASE_URL"), signed); err != nil {
		panic(err)
	}
	input := atelier.ModelInput{"prompt": "a boat", "width": 64, "height": 64}
	flows := []struct {
		name string
		run  func() error
	}{
		{"price badges", func() error {
			answer, err := client.GetBadgesWithResponse(ctx, &atelier.GetBadgesParams{AppVersion: "0.3.40", Platform: "local"})
			return unless(err == nil && answer.JSON200 != nil, err, nil)
		}},
		{"list models", func() error {
			answer, err := client.ListModelsWithResponse(ctx, nil)
			return unless(err == nil && answer.JSON200 != nil && strings.Contains(string(answer.Body), "image-1"), err, nil)
		}},
		{"run a model", func() error {
			answer, err := client.InvokeModelWithResponse(ctx, "sandbox", "image-1", nil, input)
			if err != nil {
				return err
			}
			return unless(answer.JSON200 != nil && answer.HTTPResponse.Header.Get("X-Service-Request-Id") != "", nil, answer.Body)
		}},
		{"estimate a model", func() error {
			answer, err := client.EstimateModelWithResponse(ctx, "sandbox", "image-1", input)
			if err != nil {
				return err
			}
			return unless(answer.JSON200 != nil, nil, answer.Body)
		}},
		{"a refusal has the router's shape", func() error {
			answer, err := client.InvokeModelWithResponse(ctx, "sandbox", "no-such-model", nil, atelier.ModelInput{})
			if err != nil {
				return err
			}
			return unless(answer.JSON404 != nil, nil, answer.Body)
		}},
		{"upload and read an asset", assets},
		{"submit, read and list jobs; what one cost", jobs},
		{"list nodes of the registry", func() error {
			answer, err := client.ListNodesWithResponse(ctx, nil)
			return unless(err == nil && answer.JSON200 != nil, err, nil)
		}},
		{"read the account", func() error {
			answer, err := client.GetAccountWithResponse(ctx)
			return unless(err == nil && answer.JSON200 != nil, err, nil)
		}},
		{"announce a resumable upload", func() error {
			length := 0
			metadata := "filename ZW1wdHkuYmlu"
			params := atelier.CreateUploadParams{TusResumable: "1.0.0", UploadLength: &length, UploadMetadata: &metadata}
			answer, err := client.CreateUploadWithResponse(ctx, &params)
			if err != nil {
				return err
			}
			return unless(answer.StatusCode() == 201, nil, answer.Body)
		}},
	}
	for _, flow := range flows {
		said := map[string]any{"flow": flow.name, "ok": true}
		if err := flow.run(); err != nil {
			said["ok"], said["note"] = false, err.Error()
		}
		line, _ := json.Marshal(said)
		fmt.Println(string(line))
	}
}
