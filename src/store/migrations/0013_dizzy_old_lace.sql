ALTER TABLE "texts" ADD COLUMN "answers_to" text collate "C";--> statement-breakpoint
CREATE UNIQUE INDEX "texts_answer" ON "texts" USING btree ("number_id","answers_to");